import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Header } from './openapi-headers.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

export interface Reference {
  $ref: string
}

export interface Response {
  description: string
  headers: Record<string, Header | Reference>
  content?: { 'application/json': { schema: JsonSchema; examples: Record<string, { value: unknown }> } }
}

export const schemaPath = '#/components/schemas/'

/** The schemas a document tells once and refers to by name. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}

  /** A reference to the schema, told under this name. Throws where the name already stands for another. */
  refer(name: string, schema: JsonSchema): JsonSchema {
    const present = this.schemas[name]
    if (present && !isDeepStrictEqual(present, schema)) throw new Error(`OpenAPI: ${name} is used in two forms`)
    this.schemas[name] = schema
    return { $ref: schemaPath + name }
  }
}

/** The schema, and null beside it. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema
  // An `enum` would have to list null too; those and references are told beside it instead.
  return typeof type === 'string' && !schema.enum ? { type: [type, 'null'] as never, ...rest } : { anyOf: [schema, { type: 'null' }] }
}

/** An object whose members are all required, but for `optional`. */
export function object(description: string, properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', description, properties, required }
}

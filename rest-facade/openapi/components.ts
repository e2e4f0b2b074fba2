import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

export interface Reference {
  $ref: string
}

export interface Header {
  description: string
  /** True if every response of this status code has the header field. */
  required: boolean
  schema: JsonSchema
  example: string | number
}

interface Content {
  schema: JsonSchema
  examples: Record<string, { value: unknown }>
}

export interface Response {
  description: string
  headers: Record<string, Header | Reference>
  content?: Partial<Record<'application/json' | 'application/problem+json', Content>>
}

export const schemaPath = '#/components/schemas/'

/** Returns the name of the schema to which a reference points. */
export const readSchemaName = (reference: string): string => reference.slice(schemaPath.length)

/** The schemas that a document defines once and references by name. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}

  /** Defines the schema under this name and returns a reference to it. Throws if the name has another schema. */
  refer(name: string, schema: JsonSchema): JsonSchema {
    const existing = this.schemas[name]
    if (existing && !isDeepStrictEqual(existing, schema)) throw new Error(`OpenAPI: ${name} has two different schemas`)
    this.schemas[name] = schema
    return { $ref: schemaPath + name }
  }
}

/** Marks an enum to which a later version can add values in responses (docs/decisions/api-documents.md#compatibility). */
export const openEnum = { 'x-open-enum': true } as const

/** Returns the schema with null as another possible value. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema
  // An `enum` would have to list null too, so enums and references use `anyOf`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod's type of `type` lacks lists, which JSON Schema 2020-12 allows
  return typeof type === 'string' && !schema.enum ? { type: [type, 'null'] as never, ...rest } : { anyOf: [schema, { type: 'null' }] }
}

/** Returns an object schema whose members are all required except `optional`. */
export function object(description: string, properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', description, properties, required }
}

import { isDeepStrictEqual } from 'node:util'
import { GraphQLEnumType } from 'graphql'
import { z } from 'zod'
import { schema } from '../../../schema/index.ts'
import { nullable, openEnum, schemaPath } from '../components.ts'
import type { Components, JsonSchema } from '../components.ts'

// Schemas of values, which requests and responses share.

/** Converts a zod schema to an OpenAPI schema. Schemas with an `id` become components. */
export function jsonSchema(from: z.ZodType, components: Components): JsonSchema {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(from, { io: 'input' })
  for (const [name, definition] of Object.entries($defs)) components.refer(name, graphqlEnum(name, definition) ?? convertSchema(definition))
  return convertSchema(rest)
}

/** Returns the enum with GraphQL's description if GraphQL defines it too, or null. */
function graphqlEnum(name: string, definition: JsonSchema): JsonSchema | null {
  const type = schema.getType(name)
  if (!(type instanceof GraphQLEnumType)) return null
  const described = enumSchema(type)
  if (!isDeepStrictEqual(described.enum, definition.enum)) throw new Error(`the enum ${name} differs between GraphQL and requests`)
  return described
}

function convertSchema(from: JsonSchema): JsonSchema {
  const converted: unknown = JSON.parse(JSON.stringify(from), convert)
  if (!isSchema(converted)) throw new Error('zod returned no JSON Schema object')
  return converted
}

/** Rewrites references to point to the components, and a nullable schema to the form of `nullable`. Adds the size of integers. */
function convert(key: string, value: unknown): unknown {
  if (key === '$ref' && typeof value === 'string') return value.replace('#/$defs/', schemaPath)
  if (!isSchema(value)) return value
  // Without the format, typed clients read an integer of 32 bits.
  if (value.maximum === Number.MAX_SAFE_INTEGER) value.format = 'int64'
  const { anyOf, ...rest } = value
  const [first, second] = anyOf ?? []
  return first && second?.type === 'null' && anyOf?.length === 2 ? { ...nullable(first), ...rest } : value
}

/**
 * Returns the name from which a component of an operation gets its name, such as V1TeamsUpdate. Generators name bodies without a component
 * in this way, or, older ones, by numbers that change with every new operation.
 */
export const toTypeName = (operationId: string): string =>
  operationId.replaceAll(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** Enums to which a later version can add values that responses contain. Clients must expect others. */
const openEnums = new Set(['ActorKind', 'Application', 'CredentialKind', 'EventType'])

/** Returns the stored values of an enum, which REST uses instead of GraphQL's names in capitals, without those that REST never returns. */
export const enumSchema = (type: GraphQLEnumType): JsonSchema => ({
  type: 'string',
  enum: type
    .getValues()
    .filter(({ extensions }) => extensions['isInRest'] !== false)
    .map(({ value }) => String(value)),
  description: type.description ?? '',
  ...(openEnums.has(type.name) && openEnum),
})

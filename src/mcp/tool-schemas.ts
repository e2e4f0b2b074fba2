import type { JSONObject, JSONValue, Tool as Definition } from '@modelcontextprotocol/server'
import { Components, schemaPath } from '../../rest-facade/openapi/components.ts'
import type { JsonSchema } from '../../rest-facade/openapi/components.ts'
import { successResponse } from '../../rest-facade/openapi/responses.ts'
import { isSchema, jsonSchema } from '../../rest-facade/openapi/schemas/value-schema.ts'
import type { Route } from '../../rest-facade/route.ts'

// A model reads the list of tools before each task, so the schemas are the ones of OpenAPI without what the names already say
// (docs/decisions/agents.md#size).

type ObjectSchema = Definition['inputSchema']

/** Longer enums, such as the 571 time zones, are left out. A wrong value is refused with a message. */
const maxEnumValues = 20

/** Returns the name of the argument for a path parameter: `team_slug` for `teamSlug`. */
export const argumentName = (parameter: string) => parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the schema of a tool's arguments: path parameters, query parameters and members of the body. */
export function buildInputSchema({ pathParameters, query, body }: Route): ObjectSchema {
  const components = new Components()
  const parts = [query, body].flatMap((part) => (part ? [jsonSchema(part, components)] : []))
  const names = pathParameters.map(argumentName)
  const properties = parts.flatMap((part) => Object.entries(part.properties ?? {}))
  const required = [...names, ...(body ? (jsonSchema(body, components).required ?? []) : [])]
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      ...Object.fromEntries(properties.map(([name, property]) => [name, compact(property, components)])),
    },
    ...(required.length > 0 && { required }),
  }
}

/**
 * Returns the schema of an argument without references, lengths and formats. An argument with a default, or with one possible value, has no
 * description.
 */
function compact(from: unknown, components: Components): JSONObject {
  const { type, description, enum: values, items, anyOf, default: defaultValue } = resolve(from, components)
  const isPlain = defaultValue !== undefined || resolve(items, components).enum?.length === 1
  return withoutUndefined({
    type,
    description: isPlain || (isSchema(from) && '$ref' in from) ? undefined : description,
    enum: values && values.length <= maxEnumValues ? values : undefined,
    items: items && compact(items, components),
    anyOf: anyOf?.map((option) => compact(option, components)),
    default: typeof defaultValue === 'number' || typeof defaultValue === 'string' ? defaultValue : undefined,
  })
}

/**
 * Returns the schema of a tool's result: that of the response, reduced to the names of its members and, for a list, of the members of its
 * resources. Undefined for an empty response.
 */
export function buildOutputSchema(route: Route): ObjectSchema | undefined {
  const components = new Components()
  const response = successResponse(route, '', components).content?.['application/json']?.schema
  if (!response) return undefined
  const { required, properties } = resolve(response, components)
  const { items } = resolve(properties?.['data'], components)
  const { required: members } = resolve(items, components)
  return { type: 'object', ...(members && { properties: { data: { type: 'array', items: { required: members } } } }), required }
}

function resolve(schema: unknown, components: Components): JsonSchema {
  if (!isSchema(schema)) return {}
  const { $ref, ...own } = schema
  return typeof $ref === 'string' ? { ...components.schemas[$ref.slice(schemaPath.length)], ...own } : schema
}

const withoutUndefined = (schema: Record<string, JSONValue | undefined>): JSONObject =>
  Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

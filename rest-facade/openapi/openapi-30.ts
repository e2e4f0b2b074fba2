import { isRecord } from '../../schema/core/record.ts'
import { readSchemaName } from './components.ts'
import type { JsonSchema } from './components.ts'
import type { OpenApiDocument } from './document.ts'

export interface OpenApi30Document extends Omit<OpenApiDocument, 'openapi' | 'webhooks'> {
  openapi: '3.0.3'
  /** OpenAPI 3.0 has no webhooks. Redoc shows those of this extension. */
  'x-webhooks': OpenApiDocument['webhooks']
}

/**
 * Returns the document for tools that read only OpenAPI 3.0, whose schemas lack null as a type, `const`, and members beside `$ref`. It has
 * no guides, which generators would copy to every file of a client.
 */
export function toOpenApi30({ webhooks, ...document }: OpenApiDocument): OpenApi30Document {
  const { schemas } = document.components
  const [introduction = ''] = document.info.description.split('\n\n## ', 1)
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert)
    if (!isRecord(value)) return value
    return mapValues(value, (member, name) => {
      if (name === 'example' || name === 'examples') return member
      if (name === 'schemas' && isRecord(member)) return mapValues(member, (schema) => convertSchema(schema, schemas))
      return name === 'schema' ? convertSchema(member, schemas) : convert(member)
    })
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the conversion changes only schemas
  return convert({
    ...document,
    openapi: '3.0.3',
    info: { ...document.info, description: introduction },
    'x-webhooks': webhooks,
  }) as OpenApi30Document
}

type Schemas = Readonly<Record<string, JsonSchema>>

/** Converts a schema and those in it. `additionalProperties` can be a boolean. */
function convertSchema(schema: unknown, schemas: Schemas): unknown {
  if (!isRecord(schema)) return schema
  const { const: constant, propertyNames: _, ...rest } = separateNull(schema, schemas)
  // The format implies both. The generators for Python and C# fail at the pattern of a date, and clients in Ruby reject null because of
  // `minLength`.
  if (rest.format !== undefined) for (const name of ['pattern', 'minLength']) delete rest[name]
  const converted = mapValues(rest, (member, name) => {
    if (name === 'properties' && isRecord(member)) return mapValues(member, (property) => convertSchema(property, schemas))
    if (Array.isArray(member) && combinations.has(name)) return member.map((each) => convertSchema(each, schemas))
    return name === 'items' || name === 'additionalProperties' ? convertSchema(member, schemas) : member
  })
  const { $ref, ...others } = converted
  // OpenAPI 3.0 ignores the other members of an object with `$ref`, such as the description.
  if ($ref !== undefined && Object.keys(others).length > 0) return { allOf: [{ $ref }], ...others }
  return {
    ...converted,
    ...(constant !== undefined && { enum: [constant] }),
    ...nameValues(schema.enum),
  }
}

/**
 * Returns the extension with names for the values of an enumeration, which generators read, if the names that generators would choose are
 * not unique. For example, `Etc/GMT+1` and `Etc/GMT-1` get the same name from those for Java, PHP and Ruby.
 */
function nameValues(values: unknown): { 'x-enum-varnames'?: string[] } {
  const texts = Array.isArray(values) ? values.map(String) : []
  const similar = texts.map((text) => text.replaceAll(/[^a-z0-9]/gi, '').toUpperCase())
  if (new Set(similar).size === texts.length) return {}
  const spell = (text: string) => text.replace('+', '_PLUS_').replace(/-(?=\d)/, '_MINUS_')
  return {
    'x-enum-varnames': texts.map((text) =>
      spell(text)
        .replaceAll(/[^a-z0-9]+/gi, '_')
        .toUpperCase(),
    ),
  }
}

const combinations = new Set(['allOf', 'anyOf', 'oneOf'])

/** Returns the schema with `nullable` instead of null among its types. OpenAPI 3.0.3 defines `nullable` only for a schema that has `type`. */
function separateNull({ type, anyOf, ...rest }: Record<string, unknown>, schemas: Schemas): Record<string, unknown> {
  if (Array.isArray(type) && type.includes('null')) return { type: type.find((each) => each !== 'null'), nullable: true, ...rest }
  const [value, none] = Array.isArray(anyOf) && anyOf.length === 2 ? anyOf : []
  if (none?.type !== 'null') return { ...(type !== undefined && { type }), ...(anyOf !== undefined && { anyOf }), ...rest }
  if ('$ref' in value) {
    return { type: schemas[readSchemaName(value.$ref)]?.type, nullable: true, allOf: [value], ...rest }
  }
  return { ...value, nullable: true, ...(value.enum && { enum: [...value.enum, null] }), ...rest }
}

const mapValues = (value: Record<string, unknown>, convert: (member: unknown, name: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member, name)]))

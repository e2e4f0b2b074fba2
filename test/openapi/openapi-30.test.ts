import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { toOpenApi30 } from '../../rest-facade/openapi/openapi-30.ts'

const addresses = { publicUrl: 'https://account.acme.test', flowBaseUrl: 'https://flow.acme.test/api/v1' }
const document31 = JSON.parse(JSON.stringify(openApiDocument(addresses)))
const document30 = JSON.parse(JSON.stringify(toOpenApi30(openApiDocument(addresses))))

describe('the OpenAPI 3.0 document', () => {
  test('is valid OpenAPI 3.0', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document30))).toEqual({ valid: true })
    expect(validator.version).toBe('3.0')
  })

  test('passes Redocly’s recommended rules without an error or a warning', async () => {
    // The validator of Redocly rejects null for a schema with `nullable` and `allOf`. The 3.1 document has the same examples, and its tests check them.
    const rules = { 'info-license': 'off', 'no-invalid-media-type-examples': 'off' } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    expect(await lintFromString({ source: JSON.stringify(document30), absoluteRef: '/openapi-3.0.json', config })).toEqual([])
  })

  test('has no schema with a keyword or form that OpenAPI 3.0 lacks', () => {
    const found: string[] = []
    listSchemas(document30, (schema, at) => {
      const isUnsupported = ['const', 'examples', '$defs', '$schema', 'propertyNames'].some((name) => name in schema)
      const hasNullType = Array.isArray(schema.type) || schema.type === 'null'
      const hasMembersBesideReference = '$ref' in schema && Object.keys(schema).length > 1
      if (isUnsupported || hasNullType || hasMembersBesideReference || ('nullable' in schema && !schema.type)) found.push(at)
    })
    expect(found).toEqual([])
    expect(document30).not.toHaveProperty('webhooks')
  })

  test('describes the same operations, parameters, bodies, statuses, required members and nullability as the 3.1 document', () => {
    const expected = describeOperations(document31, document31.paths, resolve31)
    expect(describeOperations(document30, document30.paths, resolve30)).toEqual(expected)
    const nullable = JSON.stringify(expected).split('"isNullable":true').length - 1
    expect(nullable).toBeGreaterThan(50)
  })

  test('describes the same requests of webhooks in an extension', () => {
    const expected = describeOperations(document31, document31.webhooks, resolve31)
    expect(describeOperations(document30, document30['x-webhooks'], resolve30)).toEqual(expected)
    expect(Object.keys(expected)).toContain('team.updated')
  })

  test('has the introduction of the 3.1 document without its guides', () => {
    const { description, ...info } = document31.info
    expect(document30.info).toEqual({ ...info, description: description.slice(0, description.indexOf('\n\n## ')) })
    expect(document30.info.description).toMatch(/^Accounts, teams (?!.*\n## )/s)
  })

  test('has the same tags, servers and security schemes as the 3.1 document', () => {
    for (const member of ['tags', 'servers']) expect(document30[member]).toEqual(document31[member])
    expect(document30.components.securitySchemes).toEqual(document31.components.securitySchemes)
    expect(Object.keys(document30.components.schemas)).toEqual(Object.keys(document31.components.schemas))
  })
})

test('an enumeration whose values generators cannot tell apart has names for them', () => {
  const { enum: values, 'x-enum-varnames': names } = document30.components.schemas.Timezone
  const nameByValue = new Map(values.map((value: string, index: number) => [value, names[index]]))
  const zones = ['Etc/GMT+1', 'Etc/GMT-1', 'GMT', 'America/Port-au-Prince']
  expect(zones.map((zone) => nameByValue.get(zone))).toEqual(['ETC_GMT_PLUS_1', 'ETC_GMT_MINUS_1', 'GMT', 'AMERICA_PORT_AU_PRINCE'])
  expect([new Set(names).size, names.filter((name: string) => !/^[A-Z][A-Z0-9_]*$/.test(name))]).toEqual([values.length, []])
  expect(document30.components.schemas.Role).not.toHaveProperty('x-enum-varnames')
})

test('a conversion adds null to the values of a nullable enum', () => {
  const State = { anyOf: [{ type: 'string' as const, enum: ['on'] }, { type: 'null' as const }] }
  const { components } = openApiDocument(addresses)
  const converted = toOpenApi30({ ...openApiDocument(addresses), components: { ...components, schemas: { State } } })
  expect(converted.components.schemas.State).toEqual({ type: 'string', nullable: true, enum: ['on', null] })
})

type Resolve = (document: any, schema: any) => { schema: any; isNullable: boolean }

const findComponent = (document: any, reference: string) => {
  const [, , kind = '', name = ''] = reference.split('/')
  return document.components[kind][name]
}

function resolve31(document: any, schema: any): ReturnType<Resolve> {
  if (schema.$ref) return { schema: { ...findComponent(document, schema.$ref), ...schema }, isNullable: false }
  const types = [schema.type].flat()
  const [value, none] = schema.anyOf?.length === 2 ? schema.anyOf : []
  if (none?.type === 'null') return { schema: { ...resolve31(document, value).schema, ...schema, anyOf: undefined }, isNullable: true }
  const { const: constant, ...rest } = schema
  const single = constant === undefined ? rest : { ...rest, enum: [constant] }
  return { schema: { ...single, type: types.find((type) => type !== 'null') }, isNullable: types.includes('null') }
}

function resolve30(document: any, schema: any): ReturnType<Resolve> {
  const isNullable = schema.nullable === true
  const reference = schema.$ref ?? schema.allOf?.[0].$ref
  return { schema: reference ? { ...findComponent(document, reference), ...schema } : schema, isNullable }
}

const rules = ['type', 'format', 'enum', 'maxLength', 'minimum', 'maximum', 'minItems', 'minProperties', 'uniqueItems']

/** Returns what a schema means, in a form that does not depend on the version of OpenAPI. */
function describeSchema(document: any, source: any, resolve: Resolve): unknown {
  const { schema, isNullable } = resolve(document, source)
  const read = (each: unknown) => describeSchema(document, each, resolve)
  const members = Object.entries<any>(schema.properties ?? {}).map(([name, property]) => [name, read(property)])
  return {
    isNullable,
    description: schema.description,
    default: schema.default,
    required: schema.required,
    ...Object.fromEntries(rules.map((name) => [name, schema[name]])),
    // The 3.0 document omits these two if there is a format, which implies them.
    ...(!schema.format && { pattern: schema.pattern, minLength: schema.minLength }),
    properties: Object.fromEntries(members),
    items: schema.items && read(schema.items),
    additionalProperties: typeof schema.additionalProperties === 'object' ? read(schema.additionalProperties) : schema.additionalProperties,
    anyOf: schema.anyOf?.map(read),
  }
}

/** Returns the operations with everything in them, without references. */
function describeOperations(document: any, paths: any, resolve: Resolve): object {
  const describe = (value: any): any => {
    if (Array.isArray(value)) return value.map(describe)
    if (typeof value !== 'object' || value === null) return value
    if (typeof value.$ref === 'string') return describe(findComponent(document, value.$ref))
    const members = Object.entries<any>(value).map(([name, member]) => {
      if (name === 'schema') return [name, describeSchema(document, member, resolve)]
      return [name, name === 'example' || name === 'examples' ? member : describe(member)]
    })
    return Object.fromEntries(members)
  }
  return describe(paths)
}

/** Calls `visit` with every schema of a document. */
function listSchemas(value: any, visit: (schema: any, at: string) => void, at = '', isSchema = false): void {
  if (typeof value !== 'object' || value === null) return
  if (isSchema) visit(value, at)
  for (const [name, member] of Object.entries<any>(value)) {
    const path = `${at}/${name}`
    if (!isSchema && (name === 'example' || name === 'examples')) continue
    if (name === 'schemas' || (isSchema && name === 'properties'))
      for (const key in member) listSchemas(member[key], visit, `${path}/${key}`, true)
    else if (isSchema && ['anyOf', 'allOf', 'oneOf'].includes(name)) member.forEach((each: any) => listSchemas(each, visit, path, true))
    else if (name === 'schema' || (isSchema && ['items', 'additionalProperties'].includes(name))) listSchemas(member, visit, path, true)
    else if (!isSchema) listSchemas(member, visit, path)
  }
}

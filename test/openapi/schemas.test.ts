import { describe, expect, test } from 'vitest'
import { Components } from '../../rest-facade/openapi/components.ts'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import type { OperationObject } from '../../rest-facade/openapi/document.ts'
import { isSupportedTimezone, timezones } from '../../schema/teams/timezones.ts'
import { createValidator } from '../support/http/contract.ts'

const document = openApiDocument({ publicUrl: 'https://account.acme.test' })
const { components, paths } = document
const operations = Object.values(paths).flatMap((item): OperationObject[] => Object.values(item))

describe('a schema of the OpenAPI document', () => {
  test('of an enum lists the documented values in order, and every accepted time zone', () => {
    expect(components.schemas.Application?.enum).toEqual(['domain', 'cert', 'deploy', 'shortener', 'flow', 'backup', 'socket', 'billing'])
    expect(components.schemas.Role?.enum).toEqual(['owner', 'member', 'billing'])
    expect(components.schemas.Timezone?.enum).toEqual(timezones)
    expect(timezones.filter((name) => !isSupportedTimezone(name))).toEqual([])
    expect(isSupportedTimezone('Mars/Olympus')).toBe(false)
  })

  test('of a resource lists the documented fields in order, and lines as optional', () => {
    const { properties, required } = components.schemas.TeamInvoice ?? {}
    const names = ['id', 'number', 'app_id', 'status', 'currency', 'subtotal', 'tax', 'total', 'amount_due', 'amount_paid', 'invoice_date']
    const all = [...names, 'due_date', 'paid_at', 'period_start', 'period_end']
    expect([Object.keys(properties ?? {}), required]).toEqual([[...all, 'lines'], all])
    expect(properties?.due_date).toEqual({ type: ['string', 'null'], format: 'date', description: expect.any(String) })
    expect(properties?.app_id).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/Application' }, { type: 'null' }] })
  })

  test('of a response has the enum, format and unique items of the request that sets it', () => {
    const propertyOf = (name: string, property: string) => components.schemas[name]?.properties?.[property]
    expect(propertyOf('Team', 'name')).toMatchObject({ type: 'string', minLength: 1, maxLength: 255 })
    expect(propertyOf('Team', 'timezone')).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/Timezone' }, { type: 'null' }] })
    expect(propertyOf('Team', 'gravatar_email')).toMatchObject({ type: ['string', 'null'], format: 'email', maxLength: 254 })
    expect(propertyOf('TeamMember', 'email')).toMatchObject({ type: 'string', format: 'email' })
    expect(propertyOf('TeamMember', 'accessible_app_ids')).toMatchObject({ type: ['array', 'null'], uniqueItems: true })
    expect(propertyOf('Viewer', 'email')).toMatchObject({ type: ['string', 'null'], format: 'email' })
  })

  test('of the kind of credential lists only the kinds that REST accepts', () => {
    expect(components.schemas.CredentialKind?.enum).toEqual(['oauth', 'personal_token', 'team_token', 'client', 'workload_identity'])
  })

  test('of an amount of money has 64 bits', () => {
    for (const [name, property] of [
      ['TeamInvoice', 'total'],
      ['TeamInvoiceLine', 'amount'],
      ['InvoiceEventData', 'amount_due'],
    ] as const)
      expect(components.schemas[name]?.properties?.[property]).toMatchObject({ type: 'integer', format: 'int64' })
    expect(components.schemas.PageMeta?.properties?.total).not.toHaveProperty('format')
  })

  test('of the data of an event is one of the schemas that the requests of webhooks have', () => {
    const subjects = ['Team', 'Member', 'Invitation', 'Token', 'Grant', 'Invoice', 'Webhook']
    expect(components.schemas.EventData?.anyOf).toEqual(subjects.map((subject) => ({ $ref: `#/components/schemas/${subject}EventData` })))
    expect(components.schemas.Event?.properties?.data).toMatchObject({ $ref: '#/components/schemas/EventData' })
  })

  test('cannot have two definitions under one name', () => {
    const registry = new Components()
    registry.refer('Team', { type: 'string' })
    expect(registry.refer('Team', { type: 'string' })).toEqual({ $ref: '#/components/schemas/Team' })
    expect(() => registry.refer('Team', { type: 'object' })).toThrow('OpenAPI: Team has two different schemas')
  })
})

describe('an example in the OpenAPI document', () => {
  const validate = createValidator(document)
  const responses = [
    ...Object.entries(components.responses),
    ...operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        '$ref' in response ? [] : [[`${operationId} ${status}`, response] as const],
      ),
    ),
  ]

  test.each(responses)('of the response %s matches its schema', (_, { content, headers }) => {
    for (const { schema, examples } of Object.values(content ?? {})) {
      expect(Object.keys(examples).length).toBeGreaterThan(0)
      for (const { value } of Object.values(examples)) expect(validate(schema, JSON.parse(JSON.stringify(value)))).toBeNull()
    }
    const headersWithSchema = Object.values(headers).flatMap((header) => ('schema' in header ? [header] : []))
    for (const { schema, example } of headersWithSchema) expect(validate(schema, example)).toBeNull()
  })

  test('of a header field, parameter or body matches its schema', () => {
    for (const { schema, example } of Object.values(components.headers)) expect(validate(schema, example)).toBeNull()
    for (const { parameters, requestBody } of operations) {
      const required = parameters.filter((parameter) => parameter.required)
      for (const { schema, example } of required) expect(validate(schema, example)).toBeNull()
      for (const { schema, example } of Object.values(requestBody?.content ?? {})) expect(validate(schema, example)).toBeNull()
    }
  })
})

import { describe, expect, test } from 'vitest'
import { Components } from '../../rest-facade/openapi-components.ts'
import { openApiDocument } from '../../rest-facade/openapi.ts'
import type { OperationObject } from '../../rest-facade/openapi.ts'
import { timezones } from '../../schema/timezone.ts'
import { createValidator } from '../support/contract.ts'

const document = openApiDocument({ publicUrl: 'https://account.acme.test' })
const { components, paths } = document
const operations = Object.values(paths).flatMap((item): OperationObject[] => Object.values(item))

describe('a schema', () => {
  test('of an enum has the contract’s words in their order, time zones all that are accepted', () => {
    expect(components.schemas.Application?.enum).toEqual(['domain', 'cert', 'deploy', 'shortener', 'flow', 'backup', 'socket', 'billing'])
    expect(components.schemas.Role?.enum).toEqual(['owner', 'member', 'billing'])
    expect(components.schemas.Timezone?.enum).toEqual(timezones)
  })

  test('of a resource has the members of decisions §4 in their order, lines only where expanded', () => {
    const { properties, required } = components.schemas.TeamInvoice ?? {}
    const names = ['id', 'number', 'app_id', 'status', 'currency', 'subtotal', 'tax', 'total', 'amount_due', 'amount_paid', 'invoice_date']
    const all = [...names, 'due_date', 'paid_at', 'period_start', 'period_end']
    expect([Object.keys(properties ?? {}), required]).toEqual([[...all, 'lines'], all])
    expect(properties?.due_date).toEqual({ type: ['string', 'null'], format: 'date', description: expect.any(String) })
    expect(properties?.app_id).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/Application' }, { type: 'null' }] })
  })

  test('cannot stand for two forms under one name', () => {
    const twice = new Components()
    twice.refer('Team', { type: 'string' })
    expect(twice.refer('Team', { type: 'string' })).toEqual({ $ref: '#/components/schemas/Team' })
    expect(() => twice.refer('Team', { type: 'object' })).toThrow('OpenAPI: Team is used in two forms')
  })
})

describe('an example', () => {
  const validate = createValidator(document)
  const responses = [
    ...Object.entries(components.responses),
    ...operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        '$ref' in response ? [] : [[`${operationId} ${status}`, response] as const],
      ),
    ),
  ]

  test.each(responses)('of the response %s fits its schema', (_, { content, headers }) => {
    for (const { schema, examples } of Object.values(content ?? {})) {
      expect(Object.keys(examples).length).toBeGreaterThan(0)
      for (const { value } of Object.values(examples)) expect(validate(schema, JSON.parse(JSON.stringify(value)))).toBeNull()
    }
    const told = Object.values(headers).flatMap((header) => ('schema' in header ? [header] : []))
    for (const { schema, example } of told) expect(validate(schema, example)).toBeNull()
  })

  test('of a header field, parameter or body fits its schema', () => {
    for (const { schema, example } of Object.values(components.headers)) expect(validate(schema, example)).toBeNull()
    for (const { parameters, requestBody } of operations) {
      const inPath = parameters.filter(({ required }) => required)
      for (const { schema, example } of inPath) expect(validate(schema, example)).toBeNull()
      for (const { schema, example } of Object.values(requestBody?.content ?? {})) expect(validate(schema, example)).toBeNull()
    }
  })
})

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { Components } from '../../rest-facade/openapi-components.ts'
import { openApiDocument } from '../../rest-facade/openapi.ts'
import type { OperationObject } from '../../rest-facade/openapi.ts'
import { statusesOf } from '../../rest-facade/responses.ts'
import { routes } from '../../rest-facade/routes/index.ts'
import { pageSize } from '../../schema/pagination.ts'
import { scopes } from '../../schema/scopes.ts'
import { timezones } from '../../schema/timezone.ts'
import { createValidator } from '../support/contract.ts'

const publicUrl = 'https://account.acme.test'
const document = openApiDocument({ publicUrl, flowBaseUrl: 'https://flow.acme.test/api/v1' })
const { components, paths } = document
const operations = Object.values(paths).flatMap((item): OperationObject[] => Object.values(item))
const operation = (id: string) => operations.find(({ operationId }) => operationId === id)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('passes Redocly’s recommended rules without an error or a warning', async () => {
    // The service is its operator's: there is no licence to name.
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })
    expect(await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config })).toEqual([])
  })

  test('has every route with every status it declares, and nothing else', () => {
    const told = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => [method, path, operationId, Object.keys(responses).map(Number)]),
    )
    const declared = routes.map((route) => [route.method, route.path, route.operationId, statusesOf(route)])
    expect(told).toHaveLength(declared.length)
    expect(told).toEqual(expect.arrayContaining(declared))
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  })

  test.each([
    ['v1.teams.index', '/v1/teams'],
    ['v1.teams.apps.index', '/v1/teams/{teamSlug}/apps'],
    ['v1.teams.invoices.index', '/v1/teams/{teamSlug}/invoices'],
    ['v1.teams.members.index', '/v1/teams/{teamSlug}/members'],
    ['v1.teams.tokens.index', '/v1/teams/{teamSlug}/tokens'],
  ])('names %s as the contract does', (operationId, path) => {
    expect(paths[path]?.get?.operationId).toBe(operationId)
  })

  test('names the addresses it was given', () => {
    expect(document.servers).toEqual([{ url: `${publicUrl}/api`, description: 'The account API' }])
    const flow = operations.filter(({ servers }) => servers)
    expect(flow.map(({ operationId, servers }) => [operationId, servers])).toEqual([
      ['v1.rules.capabilities', [{ url: 'https://flow.acme.test/api', description: 'The flow API' }]],
    ])
    expect(openApiDocument({ publicUrl }).paths['/v1/rules/capabilities']?.get).not.toHaveProperty('servers')
    expect(components.securitySchemes.oauth2.flows.authorizationCode).toEqual({
      authorizationUrl: `${publicUrl}/login/oauth/authorize`,
      tokenUrl: `${publicUrl}/api/oauth/token`,
      refreshUrl: `${publicUrl}/api/oauth/token`,
      scopes: Object.fromEntries(Object.keys(scopes).map((scope) => [scope, expect.stringMatching(/^[A-Z].*\.$/)])),
    })
  })
})

describe('an operation', () => {
  test('tells its parameters as the contract has them', () => {
    expect(operation('v1.teams.invoices.index')?.parameters).toEqual([
      { name: 'teamSlug', in: 'path', description: expect.any(String), required: true, schema: { type: 'string' }, example: 'acme' },
      {
        name: 'page',
        in: 'query',
        description: expect.any(String),
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647, default: 1 },
      },
      {
        name: 'per_page',
        in: 'query',
        description: pageSize.description,
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      },
      {
        name: 'app_id',
        in: 'query',
        description: expect.any(String),
        required: false,
        schema: { $ref: '#/components/schemas/Application' },
      },
      {
        name: 'sort',
        in: 'query',
        description: expect.any(String),
        required: false,
        schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
      },
      {
        name: 'expand[]',
        in: 'query',
        description: expect.any(String),
        required: false,
        style: 'form',
        explode: true,
        schema: { type: 'array', items: { type: 'string', enum: ['lines'] } },
      },
    ])
  })

  test('tells each set of scopes that is enough, for each kind of credential', () => {
    expect(operation('v1.teams.index')?.security).toEqual([
      { oauth2: ['teams'] },
      { oauth2: ['acct:team:read'] },
      { personalToken: ['teams'] },
      { personalToken: ['acct:team:read'] },
      { teamToken: [] },
    ])
    expect(operation('v1.teams.invoices.show')?.security).toEqual([
      { oauth2: ['acct:team:invoices:read'] },
      { personalToken: ['acct:team:invoices:read'] },
      { teamToken: ['acct:team:invoices:read'] },
    ])
  })

  test('says in words what it needs', () => {
    expect(operation('v1.teams.index')?.description).toMatch(/\n\nNeeds the scope `teams` or `acct:team:read`\.$/)
    expect(operation('v1.teams.invoices.index')?.description).toMatch(
      /\n\nNeeds the scope `acct:team:invoices:read` and the role owner or billing\.$/,
    )
    expect(operation('v1.user.show')?.description).not.toContain('Needs')
  })

  test('tells which bodies and members are required', () => {
    const bodies = operations.flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content['application/json'].schema
      return requestBody ? [[operationId, requestBody.required, schema?.required, schema?.minProperties]] : []
    })
    expect(bodies).toEqual([
      ['v1.teams.update', false, undefined, undefined],
      ['v1.teams.members.update', true, undefined, 1],
      ['v1.teams.invitations.store', true, ['email', 'role'], undefined],
    ])
  })
})

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

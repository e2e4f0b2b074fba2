import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import type { OperationObject } from '../../rest-facade/openapi/document.ts'
import { pageSize } from '../../schema/builder/pagination.ts'

const { components, paths } = openApiDocument({ publicUrl: 'https://account.acme.test' })
const operations = Object.values(paths).flatMap((item): OperationObject[] => Object.values(item))
const operation = (id: string) => operations.find(({ operationId }) => operationId === id)

describe('an operation of the OpenAPI document', () => {
  test('lists its parameters with types, limits and defaults', () => {
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

  test('lists each sufficient set of scopes for each kind of credential', () => {
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

  test('declares the header field X-Accepted-Scopes only where there is a scope to name', () => {
    const declares = (id: string) => JSON.stringify(operation(id)?.responses[200]).includes('#/components/headers/X-Accepted-Scopes')
    expect([declares('v1.user.show'), declares('v1.teams.index')]).toEqual([false, true])
  })

  test('describes the required scope and role', () => {
    expect(operation('v1.teams.index')?.description).toMatch(/\n\nNeeds the scope `teams` or `acct:team:read`\.$/)
    expect(operation('v1.teams.invoices.index')?.description).toMatch(
      /\n\nNeeds the scope `acct:team:invoices:read` and the role owner or billing\.$/,
    )
    expect(operation('v1.user.show')?.description).not.toContain('Needs')
  })

  test('declares which bodies and fields are required', () => {
    const bodies = operations.flatMap(({ operationId, requestBody }) => {
      const [, name = ''] = /^#\/components\/schemas\/(.*)/.exec(requestBody?.content['application/json'].schema.$ref ?? '') ?? []
      const schema = components.schemas[name]
      return requestBody ? [[operationId, requestBody.required, schema?.required, schema?.minProperties]] : []
    })
    expect(bodies).toEqual([
      ['v1.teams.update', false, undefined, undefined],
      ['v1.teams.members.update', true, undefined, 1],
      ['v1.teams.invitations.store', true, ['email', 'role'], undefined],
      ['v1.teams.webhooks.update', false, undefined, undefined],
    ])
  })
})

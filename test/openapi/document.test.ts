import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import type { OperationObject } from '../../rest-facade/openapi/document.ts'
import { listStatuses } from '../../rest-facade/status-codes.ts'
import { routes } from '../../rest-facade/routes/index.ts'
import { oauthScopes, tokenScopes } from '../../schema/core/scopes.ts'

const publicUrl = 'https://account.acme.test'
const document = openApiDocument({ publicUrl, flowBaseUrl: 'https://flow.acme.test/api/v1' })
const { components, paths } = document
const operations = Object.values(paths).flatMap((item): OperationObject[] => Object.values(item))

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('passes Redocly’s recommended rules without an error or a warning', async () => {
    // The service belongs to its operator, so the document has no license.
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })
    expect(await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config })).toEqual([])
  })

  test('contains exactly the declared routes with their declared status codes', () => {
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => [method, path, operationId, Object.keys(responses).map(Number)]),
    )
    const declared = routes.map((route) => [route.method, route.path, route.operationId, listStatuses(route)])
    expect(documented).toHaveLength(declared.length)
    expect(documented).toEqual(expect.arrayContaining(declared))
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  })

  test.each([
    ['v1.teams.index', '/v1/teams'],
    ['v1.teams.apps.index', '/v1/teams/{teamSlug}/apps'],
    ['v1.teams.invoices.index', '/v1/teams/{teamSlug}/invoices'],
    ['v1.teams.members.index', '/v1/teams/{teamSlug}/members'],
    ['v1.teams.tokens.index', '/v1/teams/{teamSlug}/tokens'],
  ])('has the operation %s at its documented path %s', (operationId, path) => {
    expect(paths[path]?.get?.operationId).toBe(operationId)
  })

  test('contains the configured URLs', () => {
    expect(document.servers).toEqual([{ url: `${publicUrl}/api`, description: 'The account API' }])
    expect(document.externalDocs.url).toBe(`${publicUrl}/api/docs`)
    for (const name of ['openapi', 'openapi-3.0', 'postman'])
      expect(document.info.description).toContain(`](${publicUrl}/api/${name}.json)`)
    const flow = operations.filter(({ servers }) => servers)
    expect(flow.map(({ operationId, servers }) => [operationId, servers])).toEqual([
      ['v1.rules.capabilities', [{ url: 'https://flow.acme.test/api', description: 'The flow API' }]],
    ])
    expect(openApiDocument({ publicUrl }).paths['/v1/rules/capabilities']?.get).not.toHaveProperty('servers')
    expect(components.securitySchemes.oauth2.flows.clientCredentials).toEqual({
      tokenUrl: `${publicUrl}/api/oauth/token`,
      scopes: Object.fromEntries(tokenScopes.map((scope) => [scope, expect.any(String)])),
    })
    expect(components.securitySchemes.oauth2.flows.authorizationCode).toEqual({
      authorizationUrl: `${publicUrl}/login/oauth/authorize`,
      tokenUrl: `${publicUrl}/api/oauth/token`,
      refreshUrl: `${publicUrl}/api/oauth/token`,
      scopes: Object.fromEntries(oauthScopes.map((scope) => [scope, expect.stringMatching(/^[A-Z].*\.$/)])),
    })
  })
})

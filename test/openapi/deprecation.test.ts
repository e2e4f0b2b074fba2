import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { toOpenApi30 } from '../../rest-facade/openapi/openapi-30.ts'
import { route } from '../../rest-facade/route.ts'
import type { Route, RouteDeclaration } from '../../rest-facade/route.ts'
import { routes } from '../../rest-facade/routes/index.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { useService } from '../support/service/service.ts'

const current = routes.find(({ path, method }) => path === '/v1/teams/{teamSlug}' && method === 'get')
if (!current) throw new Error('there is no route of a team')
const declaration: RouteDeclaration = {
  ...current,
  operationId: 'v1.teams.old',
  tool: 'old_team',
  path: '/v1/teams/{teamSlug}/old',
  deprecated: { since: '2027-01-31', sunset: '2027-12-31', successor: '/v1/teams/{teamSlug}' },
}
const deprecated = route(declaration)

// No route of the service is deprecated. The service of this file serves one more.
const served = routes as Route[]
beforeAll(() => void served.push(deprecated))
const service = useService()
afterAll(() => void served.splice(served.indexOf(deprecated), 1))

test('each response of a deprecated route says since when it is deprecated, until when it exists, and what replaces it', async () => {
  const { team, token } = await createOwnedTeam(service.database)
  for (const [credential, status] of [
    [token, 200],
    ['invalid', 401],
  ] as const) {
    const response = await fetch(`${service.url}/api/v1/teams/${team.slug}/old`, { headers: { Authorization: `Bearer ${credential}` } })
    expect([response.status, response.headers.get('deprecation')]).toEqual([status, '@1801353600'])
    expect(response.headers.get('sunset')).toBe('Fri, 31 Dec 2027 00:00:00 GMT')
    const successor = `<${service.url}/api/v1/teams/${team.slug}>; rel="successor-version"`
    expect(response.headers.get('link')).toBe(`<${service.url}/api/docs>; rel="deprecation", ${successor}`)
  }
})

test('a route that is not deprecated has none of these header fields', async () => {
  const { team, token } = await createOwnedTeam(service.database)
  const { headers } = await fetch(`${service.url}/api/v1/teams/${team.slug}`, { headers: { Authorization: `Bearer ${token}` } })
  expect(['deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual([null, null, null])
})

test('both OpenAPI documents declare the deprecation and its header fields', () => {
  const document = openApiDocument({ publicUrl: service.url })
  for (const { paths } of [document, toOpenApi30(document)]) {
    const operation = paths[deprecated.path]?.get
    expect(operation).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(
        'Deprecated since 2027-01-31. It may be missing from 2027-12-31. Use `/v1/teams/{teamSlug}` instead.',
      ),
      responses: {
        200: { headers: { Deprecation: { example: '@1801353600' }, Sunset: { required: true }, Link: { schema: { type: 'string' } } } },
      },
    })
    expect(paths['/v1/teams/{teamSlug}']?.get).not.toHaveProperty('deprecated')
  }
})

test('a deprecation without a valid date, or whose sunset is before it, stops the service at start', () => {
  expect(() => route({ ...declaration, deprecated: { since: 'soon' } })).toThrow(
    'v1.teams.old: the deprecation from soon to soon is invalid',
  )
  const reversed = { since: '2027-02-01', sunset: '2027-01-31' }
  expect(() => route({ ...declaration, deprecated: reversed })).toThrow('from 2027-02-01 to 2027-01-31 is invalid')
})

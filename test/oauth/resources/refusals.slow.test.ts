import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createKey, createProof } from '../../support/oauth/dpop.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { authorizationUrl, createClient, post } from '../../support/oauth/oauth.ts'
import { codeFlow, refreshed } from '../../support/oauth/resources.ts'
import { createOwnedTeam, createTeam } from '../../support/data/team.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const api = `${service.url}/api`
const graphqlApi = `${service.url}/graphql`

/** Sends a request with this resource, and returns the error of the response or of the redirect to the client. */
const endpoints: Record<string, (resource: string) => Promise<[status: number, error: string | null]>> = {
  async 'the authorization endpoint'(resource) {
    const { url } = authorizationUrl(service, await createClient(database), { resource })
    const { url: callback, status } = await new Browser(service.url).open(url)
    return [status, callback.searchParams.get('error')]
  },
  async 'pushed authorization requests'(resource) {
    const client = await createClient(database)
    const { url } = authorizationUrl(service, client, { resource })
    const { status, body } = await post(service, '/api/oauth/par', client, url.searchParams)
    return [status, body.error]
  },
  async 'device authorization'(resource) {
    const client = await createDeviceClient(database)
    const { status, body } = await post(service, '/api/oauth/device', client, { scope: 'openid', resource })
    return [status, body.error]
  },
  async 'the exchange of a code'(resource) {
    const { tokens } = await codeFlow(service, [], [resource])
    return [tokens.status, tokens.body.error]
  },
  async 'client credentials'(resource) {
    const client = await createTeamClient(database, await createTeam(database))
    const { status, body } = await requestMachineToken(service, client, { resource })
    return [status, body.error]
  },
  async 'a refresh'(resource) {
    const connected = await codeFlow(service, [])
    const { tokens } = await refreshed(service, connected, [resource])
    // The refresh token was not spent.
    expect((await refreshed(service, connected)).tokens.status).toBe(200)
    return [tokens.status, tokens.body.error]
  },
}

const unknown = [
  'https://api.example',
  service.url,
  `${api}/`,
  `${api}/v1/teams`,
  `${api}#fragment`,
  `${api}?query`,
  api.toUpperCase(),
  'api',
  '/api',
  '__proto__',
  'javascript:alert(1)',
  'http://[',
  `https://api.example/${'x'.repeat(2000)}`,
]

describe.each(Object.entries(endpoints))('%s', (name, send) => {
  test.each(unknown)('refuses the resource %s with invalid_target', async (resource) => {
    const [status, error] = await send(resource)
    expect(error).toBe('invalid_target')
    if (name !== 'the authorization endpoint') expect(status).toBe(400)
  })
})

test.each([
  [[api], graphqlApi],
  [[graphqlApi], api],
  [[`${service.url}/mcp`], api],
])('a token request cannot name a resource other than those authorized: %j, %s', async (authorized, requested) => {
  const { tokens } = await codeFlow(service, authorized, [requested])
  expect([tokens.status, tokens.body.error]).toEqual([400, 'invalid_target'])
  const refused = await refreshed(service, await codeFlow(service, authorized), [requested])
  expect([refused.tokens.status, refused.tokens.body.error]).toEqual([400, 'invalid_target'])
})

test('a resource without a value counts as omitted', async () => {
  const { tokens } = await codeFlow(service, [''], [''])
  expect([tokens.status, (await graphql(service, tokens.body.access_token, '{ viewer { userId } }')).status]).toEqual([200, 200])
})

test('with a resource, an unknown scope is ignored, and a request for unknown scopes alone is refused before the sign-in', async () => {
  const client = await createClient(database)
  const open = (scope: string) => new Browser(service.url).open(authorizationUrl(service, client, { resource: api, scope }).url)
  expect((await open('openid unknown')).text).toContain('Password')
  expect((await open('unknown')).url.searchParams.get('error')).toBe('invalid_scope')
  expect((await open('flow:rules:read')).url.searchParams.get('error')).toBe('invalid_scope')
})

test('a token that is bound to a key is refused by the other interface with a challenge of its scheme', async () => {
  const key = createKey('ES256')
  const { owner } = await createOwnedTeam(database)
  const token = await accessToken(database, await createGrant(database, owner), { jkt: key.thumbprint, aud: graphqlApi })
  const url = `${service.url}/api/v1/teams`
  const proof = await createProof(key, { token, method: 'GET', url, now: service.clock.now() })
  const { status, headers } = await fetch(url, { headers: { Authorization: `DPoP ${token}`, DPoP: proof } })
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(
      /^DPoP error="invalid_token", algs="[^"]+", error_description="the token is for another resource", resource_metadata=/,
    ),
  ])
})

import { beforeAll, describe, expect, test } from 'vitest'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { resourceMetadataOf } from '../../support/http/resource-metadata.ts'
import { callMessage, post as callTool } from '../../support/mcp/client.ts'
import { createTeam } from '../../support/data/team.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { post } from '../../support/oauth/oauth.ts'
import { codeFlow, deviceFlow, pushedFlow, refreshed } from '../../support/oauth/resources.ts'
import type { Connected, Resources } from '../../support/oauth/resources.ts'
import { useService } from '../../support/service/service.ts'

// RFC 8707. The resource of a token says which interface accepts it.

const service = useService()
const { database } = service
const api = `${service.url}/api`
const graphqlApi = `${service.url}/graphql`
const mcp = `${service.url}/mcp`

/** Every way to a token, with the place that names the resource. */
const ways: [string, (resources: Resources) => Promise<Connected>][] = [
  ['a code of an authorization with', (resources) => codeFlow(service, resources)],
  ['a code that is exchanged with', (resources) => codeFlow(service, [], resources)],
  ['a code of an authorization with both resources that is exchanged with', (resources) => codeFlow(service, [api, graphqlApi], resources)],
  ['a pushed request with', (resources) => pushedFlow(service, resources)],
  ['a device authorization with', (resources) => deviceFlow(service, resources)],
  ['a device code that is exchanged with', (resources) => deviceFlow(service, [], resources)],
  ['a refresh after an authorization with', async (resources) => refreshed(service, await codeFlow(service, resources))],
  ['a refresh with', async (resources) => refreshed(service, await codeFlow(service, []), resources)],
  [
    'a second refresh after an authorization with',
    async (resources) => refreshed(service, await refreshed(service, await codeFlow(service, resources))),
  ],
]

const callers = {
  REST: async (token: string) => (await request(service, 'GET', '/api/v1/teams', { token })).status,
  GraphQL: async (token: string) => (await graphql(service, token, '{ viewer { userId } }')).status,
  MCP: async (token: string) => (await callTool(service, token, callMessage('whoami'))).status,
  UserInfo: async (token: string) => (await userInfo(token)).status,
  'UserInfo for a page': async (token: string) => (await userInfo(token, { origin: 'https://app.example' })).status,
}
const userInfo = (token: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${token}`, ...headers } })

type Caller = keyof typeof callers
const [all, ofApi, ofGraphql, ofMcp]: Caller[][] = [
  ['REST', 'GraphQL', 'MCP', 'UserInfo', 'UserInfo for a page'],
  ['REST', 'UserInfo', 'UserInfo for a page'],
  ['GraphQL', 'UserInfo', 'UserInfo for a page'],
  ['MCP', 'UserInfo', 'UserInfo for a page'],
]
const choices: [name: string, resources: Resources, accepting: Caller[] | undefined][] = [
  ['no resource', [], all],
  ['the resource of REST', [api], ofApi],
  ['the resource of GraphQL', [graphqlApi], ofGraphql],
  ['the resource of the MCP server', [mcp], ofMcp],
]
const rows = ways.flatMap(([way, connect]) =>
  choices
    .filter(([, [resource]]) => !way.includes('both resources') || resource === api || resource === graphqlApi)
    .map(([name, resources, accepting]) => ({ name: `${way} ${name}`, connect, resources, accepting, isOfDevice: way.includes('device') })),
)

describe.each(rows)('a token by $name', ({ connect, resources, accepting, isOfDevice }) => {
  let connected: Connected
  let token: string
  beforeAll(async () => {
    connected = await connect(resources)
    token = connected.tokens.body.access_token
  })

  test('has the scope of the authorization', () => {
    const { status, body } = connected.tokens
    expect([status, body.scope]).toEqual([200, 'teams openid offline_access'])
  })

  // An app of a device has no origin, from which its pages could call.
  const names = ['REST', 'GraphQL', 'MCP', 'UserInfo', ...(isOfDevice ? [] : ['UserInfo for a page' as const])] as const
  test.each(names)('is accepted or refused by %s', async (name) => {
    expect(await callers[name](token)).toBe(accepting?.includes(name) ? 200 : 401)
  })

  // Public clients cannot introspect.
  if (!isOfDevice)
    test('shows its resource in introspection', async () => {
      const { body } = await post(service, '/api/oauth/introspect', connected.client, { token })
      expect([body.active, body.aud]).toEqual([true, resources[0]])
    })
})

describe.each(choices)('a token by client credentials with %s', (_, resources, accepting) => {
  test('is accepted or refused by each interface, and has the scopes of a request without a resource', async () => {
    const client = await createTeamClient(database, await createTeam(database))
    const [resource] = resources
    const { status, body } = await requestMachineToken(service, client, resource === undefined ? {} : { resource })
    expect([status, body.scope]).toEqual([200, tokenScopes.join(' ')])
    for (const name of ['REST', 'GraphQL', 'MCP'] as const)
      expect(await callers[name](body.access_token)).toBe(accepting?.includes(name) ? 200 : 401)
    const introspected = await post(service, '/api/oauth/introspect', client, { token: body.access_token })
    expect([introspected.body.active, introspected.body.aud]).toEqual([true, resource])
    const both = await post(
      service,
      '/api/oauth/token',
      client,
      new URLSearchParams([
        ['grant_type', 'client_credentials'],
        ['resource', api],
        ['resource', graphqlApi],
      ]),
    )
    expect([both.status, both.body.error]).toEqual([400, 'invalid_target'])
  })
})

test('a token request has to name one of several authorized resources', async () => {
  const { tokens } = await codeFlow(service, [api, graphqlApi])
  expect([tokens.status, tokens.body.error]).toEqual([400, 'invalid_target'])
})

test('the refusal of the other interface says why', async () => {
  const { tokens } = await codeFlow(service, [graphqlApi])
  const { status, headers, body } = await request(service, 'GET', '/api/v1/teams', { token: tokens.body.access_token })
  expect([status, body.code]).toEqual([401, 'unauthenticated'])
  expect(headers.get('www-authenticate')).toBe(
    `Bearer realm="${service.url}", error="invalid_token", error_description="the token is for another resource", ${resourceMetadataOf(service.url)}`,
  )
})

test('an authorization for both resources gives a token for each, from one refresh token', async () => {
  const first = await codeFlow(service, [api, graphqlApi], [api])
  const second = await refreshed(service, first, [graphqlApi])
  const third = await refreshed(service, second, [api])
  const introspect = async (token: string) => (await post(service, '/api/oauth/introspect', first.client, { token })).body.aud
  const found = await Promise.all([first, second, third].map(({ tokens }) => introspect(tokens.body.access_token)))
  expect(found).toEqual([api, graphqlApi, api])
})

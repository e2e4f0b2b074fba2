import { describe, expect, test } from 'vitest'
import { createOwnedTeam, createTeam, personalToken } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { resourceMetadataOf } from '../support/http/resource-metadata.ts'
import { callMessage, connectClient, post, revisions, textOf } from '../support/mcp/client.ts'
import { useService } from '../support/service/service.ts'

const service = useService({ rateLimitApi: 1000 })
const { database } = service
const metadata = resourceMetadataOf(service.url, 'mcp')

describe.each(revisions)('with revision %s', (revision) => {
  test('a refusal of the domain is the body of the error of REST, as a result', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const client = await connectClient(service, token, { revision })
    const refusalOf = async (name: string, sent: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: sent })
      expect([result.isError, result.structuredContent]).toEqual([true, undefined])
      const { request_id, ...body } = textOf(result)
      expect(request_id).toEqual(expect.any(String))
      return body
    }
    expect(await refusalOf('update_team', { team_slug: team.slug, name: '', timezone: 'Moon' })).toEqual({
      message: 'The name field is required. (and 1 more error)',
      errors: { name: ['The name field is required.'], timezone: ['The selected timezone is invalid.'] },
      code: 'validation_failed',
    })
    expect(await refusalOf('update_member', { team_slug: team.slug, user_id: owner.id, role: 'member' })).toMatchObject({
      code: 'last_owner',
    })
    expect(await refusalOf('get_member', { team_slug: team.slug, user_id: 'unknown' })).toEqual({
      message: 'Not Found.',
      code: 'not_found',
    })
    const { slug } = await createTeam(database)
    expect(await refusalOf('get_team', { team_slug: slug })).toMatchObject({ code: 'team_forbidden' })
    expect(await refusalOf('get_team', {})).toMatchObject({ errors: { team_slug: ['The team slug field is required.'] } })
    expect(await refusalOf('get_team', { team_slug: [team.slug] })).toMatchObject({ code: 'validation_failed' })
    expect(await refusalOf('list_members', { team_slug: team.slug, page: 'two', per_page: 1000 })).toMatchObject({
      errors: { page: [expect.any(String)], per_page: [expect.any(String)] },
    })
    expect(await refusalOf('list_events', { team_slug: team.slug, after: 'x\0', types: ['unknown'] })).toMatchObject({
      code: 'validation_failed',
    })
  })

  test('an unknown tool, and a write at /mcp/readonly, is an error of the protocol', async () => {
    const { team, token } = await createOwnedTeam(database)
    const client = await connectClient(service, token, { revision })
    await expect(client.callTool({ name: 'delete_team', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
    const reader = await connectClient(service, token, { revision, path: '/mcp/readonly' })
    const change = { name: 'update_team', arguments: { team_slug: team.slug, name: 'Changed' } }
    await expect(reader.callTool(change)).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('Unknown tool') })
    expect(await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ name: 'Acme' })
  })
})

test('a missing scope is a 403 that names the scope and the metadata, and nothing is changed', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const token = await personalToken(database, owner, { scopes: ['acct:team:read'] })
  const { status, headers, body } = await post(service, token, callMessage('update_team', { team_slug: team.slug, name: 'Changed' }))
  expect([status, body]).toEqual([
    403,
    { message: 'This action is unauthorized.', code: 'insufficient_scope', request_id: expect.any(String) },
  ])
  expect(headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="acct:team:write", ${metadata}`)
  expect(await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ name: 'Acme' })
})

test('a request without a valid credential is a 401 with the challenge, whatever it contains', async () => {
  for (const message of [callMessage('list_teams'), 'no JSON', []]) {
    const { status, headers, body } = await post(service, null, message)
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+", scope="teams [^"]+", resource_metadata="[^"]+\/mcp"$/)
  }
  expect((await post(service, 'pat_0123456789ABCDEFGHIJKLMNOPQRST1fukiD', callMessage('list_teams'))).status).toBe(401)
})

describe('a request that is no message of the protocol', () => {
  const rows: [name: string, body: unknown, status: number][] = [
    ['no JSON', '{"jsonrpc":', 400],
    ['no body', '', 400],
    ['null', 'null', 400],
    ['a number', '1', 400],
    ['a list', [callMessage('whoami')], 400],
    ['an empty list', [], 400],
    ['another version of JSON-RPC', { ...callMessage('whoami'), jsonrpc: '1.0' }, 400],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 1 }, 400],
    ['an id that is an object', { ...callMessage('whoami'), id: {} }, 400],
    ['too large a body', { ...callMessage('whoami'), padding: 'x'.repeat(110_000) }, 413],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, 200],
    ['a call without a name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, 200],
    ['a call whose arguments are a list', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: [] } }, 200],
    ['a tool with the name of a member of objects', callMessage('__proto__'), 200],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
  ]
  test.each(rows)('%s', async (_, message, expected) => {
    const { token } = await createOwnedTeam(database)
    const { status, body } = await post(service, token, message)
    expect(status).toBe(expected)
    if (status === 200) expect(body.error.code).toBeLessThan(0)
    expect(service.logged).toEqual([])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded'])('the content type %s is refused', async (type) => {
    const { token } = await createOwnedTeam(database)
    expect((await post(service, token, callMessage('whoami'), { headers: { 'Content-Type': type } })).status).toBe(415)
  })
})

test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is refused with the method that is allowed', async (method) => {
  for (const path of ['/mcp', '/mcp/readonly']) {
    const response = await fetch(service.url + path, { method, headers: { Accept: 'text/event-stream' } })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  }
})

describe('header fields of revision 2026-07-28', () => {
  const version = '2026-07-28'
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {}, _meta: envelope } }
  const agreeing = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'whoami' }

  test('are accepted if they agree with the body', async () => {
    const { token } = await createOwnedTeam(database)
    expect((await post(service, token, message, { headers: agreeing })).status).toBe(200)
  })

  test.each([
    ['another method', { 'Mcp-Method': 'tools/list' }],
    ['another tool', { 'Mcp-Name': 'list_teams' }],
    ['an earlier revision', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['an unknown revision', { 'MCP-Protocol-Version': '2030-01-01' }],
  ])('are refused with %s', async (_, changed) => {
    const { token } = await createOwnedTeam(database)
    const { status, body } = await post(service, token, message, { headers: { ...agreeing, ...changed } })
    expect([status, body.error.code]).toEqual([400, expect.any(Number)])
  })
})

test('a subscription ends at once, because the list of tools sends no changes', async () => {
  const { token } = await createOwnedTeam(database)
  const client = await connectClient(service, token)
  const subscription = await client.listen({ toolsListChanged: true })
  expect(await subscription.closed).toBe('graceful')
})

test('the request limit is that of REST, and the response says so', async () => {
  const { token } = await createOwnedTeam(database)
  const { headers } = await post(service, token, callMessage('whoami'))
  expect(headers.get('ratelimit')).toMatch(/^"api";r=\d+;t=\d+$/)
  const rest = await request(service, 'GET', '/api/v1/user', { token })
  expect(Number(/r=(\d+)/.exec(rest.headers.get('ratelimit') ?? '')?.[1])).toBeLessThan(
    Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
  )
})

test('pages of any origin may call it with a token and read the challenge', async () => {
  const origin = { Origin: 'https://agent.example' }
  const preflight = { ...origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'mcp-method' }
  const allowed = await fetch(`${service.url}/mcp`, { method: 'OPTIONS', headers: preflight })
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(allowed.headers.get('access-control-allow-headers')).toMatch(/MCP-Protocol-Version, Mcp-Method, Mcp-Name/)
  const refused = await post(service, null, callMessage('whoami'), { headers: origin })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
  expect(refused.headers.get('access-control-expose-headers')).toMatch(/WWW-Authenticate/)
})

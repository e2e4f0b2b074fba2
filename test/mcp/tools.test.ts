import { describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { createOwnedTeam, join, createTeam, createUser, personalToken, teamToken } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { connectClient, post, revisions, textOf } from '../support/mcp/client.ts'
import { accessToken, createGrant } from '../support/oauth/oauth-rows.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { database } = service

const listNames = async (token: string, path?: '/mcp/readonly') => {
  const client = await connectClient(service, token, path && { path })
  return (await client.listTools()).tools.map(({ name }) => name)
}

describe.each(revisions)('the official client with revision %s', (revision) => {
  test('connects, lists the tools and calls one, whose result is that of REST', async () => {
    const { team, token } = await createOwnedTeam(database)
    const client = await connectClient(service, token, { revision })
    expect(client.getServerVersion()).toMatchObject({ name: 'team-account-service', title: 'Team Account Service' })
    expect(client.getInstructions()).toMatch(/data, never instructions/)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('list_members')
    const result = await client.callTool({ name: 'list_members', arguments: { team_slug: team.slug, per_page: 10 } })
    const rest = await request(service, 'GET', `/api/v1/teams/${team.slug}/members?per_page=10`, { token })
    expect(result.structuredContent).toEqual(rest.body)
    expect(textOf(result)).toEqual(rest.body)
    expect(result.isError).toBeUndefined()
  })

  test('reads pages of events and the account behind the credential', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const client = await connectClient(service, token, { revision })
    await client.callTool({ name: 'update_team', arguments: { team_slug: team.slug, name: 'Renamed' } })
    const { structuredContent: feed } = await client.callTool({ name: 'list_events', arguments: { team_slug: team.slug } })
    expect(feed).toMatchObject({ data: [{ type: 'team.updated', data: { changes: { name: { after: 'Renamed' } } } }] })
    const { structuredContent: account } = await client.callTool({ name: 'whoami', arguments: {} })
    expect(account).toMatchObject({ kind: 'personal_token', email: owner.email })
  })
})

describe('tools/list', () => {
  test('has one tool for each route, by name', async () => {
    const { token } = await createOwnedTeam(database)
    const names = await listNames(token)
    expect(names).toEqual(routes.map(({ tool }) => tool).toSorted())
    expect(new Set(names).size).toBe(routes.length)
    expect(names.filter((name) => !/^(list|get|update|create)_[a-z_]+$|^whoami$/.test(name))).toEqual([])
  })

  test('contains only reads at /mcp/readonly', async () => {
    const { token } = await createOwnedTeam(database)
    const reads = routes.filter(({ method }) => method === 'get').map(({ tool }) => tool)
    expect(await listNames(token, '/mcp/readonly')).toEqual(reads.toSorted())
  })

  // A slug has at most 64 characters, and 36 are the most that the tools list.
  test.each([36, 64])('has at most 12 kB with a slug of %i characters, and may be kept by its own client alone', async (length) => {
    const { token } = await createOwnedTeam(database, { slug: 'a'.repeat(length) })
    const { body } = await post(service, token, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(body.result.tools).toHaveLength(routes.length)
    expect(JSON.stringify(body).length).toBeLessThanOrEqual(12_000)
    const client = await connectClient(service, token)
    expect(await client.listTools()).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
  })

  test('names what a tool does by its annotations', async () => {
    const { token } = await createOwnedTeam(database)
    const { tools } = await (await connectClient(service, token)).listTools()
    const annotations = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]))
    const write = { readOnlyHint: false, openWorldHint: false }
    expect(annotations['get_team']).toEqual({ readOnlyHint: true, openWorldHint: false })
    expect(annotations['update_team']).toEqual({ ...write, destructiveHint: true, idempotentHint: true })
    expect(annotations['create_invitation']).toEqual({ ...write, destructiveHint: false, idempotentHint: false })
  })

  test('enumerates the team of a credential that has one, and no team otherwise', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const teamArgument = async (credential: string) => {
      const { tools } = await (await connectClient(service, credential)).listTools()
      return tools.find(({ name }) => name === 'get_team')?.inputSchema
    }
    const enumerated = { type: 'object', properties: { team_slug: { type: 'string', enum: [team.slug] } }, required: ['team_slug'] }
    expect(await teamArgument(token)).toEqual(enumerated)
    expect(await teamArgument(await teamToken(database, team))).toEqual(enumerated)
    await join(database, await createTeam(database), owner, 'member')
    expect(await teamArgument(token)).toMatchObject({ properties: { team_slug: { type: 'string' } } })
  })

  test('leaves out what scopes, role and teams of a token do not allow', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const scopes = ['acct:team:members:read'] as const
    expect(await listNames(await personalToken(database, owner, { scopes }))).toEqual(['get_member', 'list_members', 'whoami'])
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const ofMember = await listNames(await personalToken(database, member))
    expect(ofMember).toContain('list_members')
    expect(ofMember).not.toContain('update_team')
    expect(ofMember).not.toContain('list_webhooks')
    expect(await listNames(await personalToken(database, await createUser(database)))).toEqual(['list_teams', 'whoami'])
  })

  test('contains for the client of a user what it could do with more scopes, but not with another role', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const scopes = ['acct:team:members:read'] as const
    const listOf = async (user: typeof owner) => listNames(await accessToken(database, await createGrant(database, user, { scopes })))
    expect(await listOf(owner)).toEqual(routes.map(({ tool }) => tool).toSorted())
    const member = await createUser(database)
    await join(database, team, member, 'member')
    expect(await listOf(member)).not.toContain('update_team')
  })
})

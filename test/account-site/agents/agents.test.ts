import { describe, expect, test } from 'vitest'
import { createInitialAccess, registerClient } from '../../support/agents/initial-access.ts'
import { contentOf, inTeam, rowsOf, teamLinks } from '../../support/account-site/team.ts'
import { heading } from '../../support/account-site/page-content.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { startService, useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database
const page = '/developers/agents'

describe('the lines for an agent', () => {
  test('have the address that only reads, or after a click the other one', async () => {
    const { browser, page: first, address } = await inTeam(service, 'member', page)
    expect(heading(first)).toEqual([200, 'Agents'])
    expect(teamLinks(first)).toContain('Agents')
    const codes = (each: typeof first) => each.root.querySelectorAll('#connect code, #connect pre').map(({ text }) => text.trim())
    const url = `${service.url}/mcp/readonly`
    expect(codes(first)).toEqual([
      url,
      `claude mcp add --transport http team-account ${url}`,
      `code --add-mcp '{"name":"team-account","type":"http","url":"${url}"}'`,
      JSON.stringify({ mcpServers: { 'team-account': { type: 'http', url } } }, null, 2),
    ])
    const other = await browser.open(`${address}?mode=change`)
    expect(codes(other)[0]).toBe(`${service.url}/mcp`)
    expect(contentOf(other)).toContain('can contain instructions, which an agent may follow')
  })
})

test.each(['member', 'billing'] as const)('a user with the role %s reads what owners decide, and has no forms', async (role) => {
  const { page: shown } = await inTeam(service, role, page)
  expect(contentOf(shown)).toContain('Owners of the team choose which agents can be connected.')
  expect(shown.root.querySelector('main a[href="/applications"]')?.text).toBe('Connected apps')
  for (const hidden of ['Allowed hosts', 'Connected agents', 'initial access token']) expect(contentOf(shown)).not.toContain(hidden)
})

test('an owner sees the agents that members connected, and revokes one', async () => {
  const { team, person, browser, address } = await inTeam(service, 'owner', page)
  const agent = await createGrant(database, person, { team })
  await prisma.oAuthClient.update({ where: { id: agent.oauthClientId }, data: { name: 'Agent', source: 'registration' } })
  await createGrant(database, person, { team })
  const shown = await browser.open(address)
  expect(rowsOf(shown)).toEqual([
    [
      'Agent Registered itself',
      `A ${person.name}`,
      expect.stringContaining('21 permissions'),
      'Never used',
      expect.stringContaining('Revoke access'),
    ],
  ])
  const revoked = await browser.press(shown, 'Revoke access')
  expect(contentOf(revoked)).toContain('No one has connected an agent to this team yet.')
  expect((await prisma.oAuthGrant.findUniqueOrThrow({ where: { id: agent.id } })).revokedTeamIds).toEqual([team.id])
})

test('an owner allows a host and removes it', async () => {
  const { team, browser, page: shown } = await inTeam(service, 'owner', page)
  expect(contentOf(shown)).toContain('No host is allowed yet')
  const refused = await browser.press(shown, 'Allow host', { Host: 'db.internal' })
  expect([refused.status, contentOf(refused)]).toEqual([422, expect.stringContaining('name a host on the public internet')])
  const allowed = await browser.press(refused, 'Allow host', { Host: ' https://Claude.ai/ ' })
  expect(contentOf(allowed)).toContain('Members can now connect agents of this host.')
  expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).agentHosts).toEqual(['claude.ai'])
  const removed = await browser.press(allowed, 'Remove this host')
  expect(contentOf(removed)).toContain('No host is allowed yet')
})

test('an owner creates an initial access token, sees it once, and deletes it', async () => {
  const { browser, page: shown, address } = await inTeam(service, 'owner', page)
  const created = await browser.press(shown, 'Create initial access token', { days: '30' })
  const value = created.root.querySelector('#value')?.text.trim() ?? ''
  expect((await registerClient(service, value)).status).toBe(201)
  const listed = await browser.open(address)
  expect(listed.text).not.toContain(value)
  expect(contentOf(listed)).toContain(`iat_…${value.slice(-4)}`)
  const deleted = await browser.press(listed, 'Delete this token')
  expect(contentOf(deleted)).toContain(`The initial access token iat_…${value.slice(-4)} was deleted.`)
  expect((await registerClient(service, value)).status).toBe(401)
})

test('a team with five tokens creates no other', async () => {
  const { team, browser, address } = await inTeam(service, 'owner', page)
  for (let index = 0; index < 5; index++) await createInitialAccess(database, team)
  expect(contentOf(await browser.open(address))).toContain('A team can have 5 initial access tokens. Delete one to create another.')
})

test('where registration is closed, the page says who registers apps', async () => {
  const closed = await startService({ clientRegistration: 'closed' })
  const { page: shown } = await inTeam(closed, 'owner', page)
  expect(contentOf(shown)).toContain('Only operators of this service can register apps.')
})

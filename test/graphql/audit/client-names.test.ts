import { expect, test } from 'vitest'
import { browserOf } from '../../support/browser/site-page.ts'
import { createOwnedTeam, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { callMessage, post } from '../../support/mcp/client.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** Renames a team by each API. */
const rename: Record<string, (token: string, team: string) => Promise<unknown>> = {
  REST: (token, team) => request(service, 'PATCH', `/api/v1/teams/${team}`, { token, body: { name: 'Renamed' } }),
  GraphQL: (token, team) => graphql(service, token, `mutation { updateTeam(input: { team: "${team}", name: "Renamed" }) { __typename } }`),
  MCP: (token, team) => post(service, token, callMessage('update_team', { team_slug: team, name: 'Renamed' })),
}

test.each(Object.keys(rename))('a change by %s is recorded with the name of the client, also after the client is deleted', async (api) => {
  const { team, owner, token } = await createOwnedTeam(database)
  const grant = await createGrant(database, owner)
  await rename[api]?.(await accessToken(database, grant), team.slug)
  expect(await database.prisma.auditEntry.findMany({ where: { teamId: team.id } })).toEqual([
    expect.objectContaining({
      action: 'updateTeam',
      actorUserId: owner.id,
      authenticationMethod: 'oauth',
      credentialId: grant.id,
      clientName: 'Dashboard',
    }),
  ])
  await database.prisma.oAuthGrant.delete({ where: { id: grant.id } })
  await database.prisma.oAuthClient.delete({ where: { id: grant.client.id } })
  const query = `{ team(slug: "${team.slug}") { auditEntries { nodes { actorName clientName } } } }`
  const { data } = await graphql(service, token, query)
  expect(data.team.auditEntries.nodes).toEqual([{ actorName: owner.name, clientName: 'Dashboard' }])
})

test('the pages and the export name the client after its user', async () => {
  const { team, owner } = await createOwnedTeam(database)
  await rename['MCP']?.(await accessToken(database, await createGrant(database, owner)), team.slug)
  const browser = await browserOf(service, team, 'owner')
  const list = await browser.open(`/teams/${team.slug}/audit-trail`)
  expect(list.root.querySelector('.who')?.text).toContain(`${owner.name} with Dashboard`)
  const entry = await browser.open(list.root.querySelector('a.entry')?.getAttribute('href') ?? '')
  expect(entry.root.text).toContain(`${owner.name} with Dashboard`)
  const file = await browser.press(list, 'Export as CSV')
  expect(file.root.toString()).toMatch(/,Dashboard\r\n/)
})

test('changes with a token of a user or a team have no client', async () => {
  const { team, token } = await createOwnedTeam(database)
  await rename['MCP']?.(token, team.slug)
  await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token: await teamToken(database, team), body: { name: 'Again' } })
  const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id }, select: { clientName: true } })
  expect(entries).toEqual([{ clientName: null }, { clientName: null }])
})

import { beforeEach, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { request } from '../../support/http/request.ts'
import { clientHost, createMetadataClient } from '../../support/oauth/clients/metadata-client.ts'
import { invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { teamOptionsOf } from '../../support/oauth/consent-page.ts'
import { authorizationUrl, authorize, createPerson, exchangeCode, refresh, signIn } from '../../support/oauth/oauth.ts'
import { applyMetadataSetting } from '../../../schema/oauth/metadata-clients/save-metadata-client.ts'
import { startService, useService } from '../../support/service/service.ts'

// Who can connect a client by URL where owners review them: docs/decisions/agents.md#clients-by-url.

const service = useService()
const { database, clock } = service
const { prisma } = database

let allowing: Team
let other: Team
beforeEach(async () => {
  await prisma.team.updateMany({ data: { agentHosts: [] } })
  allowing = await createTeam(database, { name: 'Allowing', agentHosts: [clientHost] })
  other = await createTeam(database, { name: 'Other' })
})

async function memberOf(...teams: Team[]): Promise<User> {
  const user = await createPerson(database)
  for (const team of teams) await join(database, team, user, 'member')
  return user
}

type MetadataClient = Awaited<ReturnType<typeof createMetadataClient>>
const open = async (client: MetadataClient, user: User, at: { url: string } = service) => {
  const browser = new Browser(at.url)
  const page = await browser.open(authorizationUrl(at, client).url)
  return page.url.pathname === '/sign-in' ? signIn(browser, page, user) : page
}
const useToken = async (token: string, at: { url: string } = service) => (await request(at, 'GET', '/api/v1/user', { token })).status

describe('with the setting reviewed', () => {
  test('a member of a team that allows the host connects the client to that team alone', async () => {
    const client = await createMetadataClient()
    const user = await memberOf(allowing, other)
    const page = await open(client, user)
    expect(teamOptionsOf(page)).toEqual([allowing.slug])
    const { body } = await exchangeCode(service, client, await authorize(service, client, user))
    expect([body.team, await useToken(body.access_token)]).toEqual([allowing.slug, 200])
    expect(client.requests).toBe(1)
    const stored = await prisma.oAuthClient.findUniqueOrThrow({ where: { clientId: client.clientId } })
    expect(stored).toMatchObject({ source: 'metadata', state: 'draft', team: 'required', confidential: false, ownerTeamId: null })
  })

  test.each(['of another team', 'of no team'])(
    'a member %s sees a page that names the host, and is not sent to the client',
    async (which) => {
      const client = await createMetadataClient()
      const page = await open(client, which === 'of no team' ? await memberOf() : await memberOf(other))
      expect([page.status, page.text, page.url.origin]).toEqual([
        403,
        expect.stringContaining('Your teams do not allow this app'),
        service.url,
      ])
      expect(page.text).toContain(`The app belongs to ${clientHost}. An owner of your team can allow this host`)
      expect(page.text).not.toContain('Code Agent')
    },
  )

  test('a removed host is refused with the next request, and allowed again later', async () => {
    const client = await createMetadataClient()
    const user = await memberOf(allowing)
    const { body } = await exchangeCode(service, client, await authorize(service, client, user))
    const setHosts = (agentHosts: string[]) => prisma.team.update({ where: { id: allowing.id }, data: { agentHosts } })
    await setHosts([])
    expect(await useToken(body.access_token)).toBe(401)
    expect(await refresh(service, client, body.refresh_token)).toMatchObject({ status: 400, body: invalidGrant })
    await setHosts([clientHost])
    expect(await useToken(body.access_token)).toBe(200)
  })

  test('a host that no team allows is never fetched, and the response is that to an unknown client', async () => {
    await prisma.team.updateMany({ data: { agentHosts: [] } })
    await createTeam(database, { agentHosts: [clientHost], deletedAt: clock.now() })
    const client = await createMetadataClient()
    const user = await memberOf(other)
    const [page, unknown] = [await open(client, user), await open({ ...client, clientId: 'unknown' }, user)]
    const textOf = ({ text }: { text: string }) => text.replace(/Request ID: \S+/, '')
    expect([page.status, textOf(page), client.requests]).toEqual([unknown.status, textOf(unknown), 0])
    expect(await prisma.oAuthClient.count({ where: { clientId: client.clientId } })).toBe(0)
  })

  test('a disabled client stays disabled, whatever its document says', async () => {
    const client = await createMetadataClient()
    const user = await memberOf(allowing)
    const { body } = await exchangeCode(service, client, await authorize(service, client, user))
    await prisma.oAuthClient.update({ where: { clientId: client.clientId }, data: { disabledAt: clock.now() } })
    clock.advance(2 * 3_600_000)
    expect([(await open(client, user)).text, client.requests]).toEqual([expect.stringContaining('This app is not registered'), 1])
    expect(await useToken(body.access_token)).toBe(401)
    expect((await refresh(service, client, body.refresh_token)).body.error).toBe('invalid_client')
  })
})

describe('with another setting', () => {
  test('with any, everyone can connect the client; with off, no one can, and existing grants end', async () => {
    const client = await createMetadataClient()
    const any = await startService({ clientMetadataDocuments: 'any' })
    const person = await createPerson(any.database)
    await join(any.database, await createTeam(any.database), person, 'member')
    const { body } = await exchangeCode(any, client, await authorize(any, client, person))
    expect(await useToken(body.access_token, any)).toBe(200)
    expect(await any.database.prisma.oAuthClient.findFirst({ where: { source: 'metadata' } })).toMatchObject({ state: 'listed' })
    for (const [setting, status] of [
      ['off', 401],
      ['reviewed', 401],
      ['any', 200],
    ] as const) {
      // The service does this when it starts.
      await applyMetadataSetting(any.database, setting)
      expect([setting, await useToken(body.access_token, any)]).toEqual([setting, status])
    }
    await any.database.prisma.team.updateMany({ data: { agentHosts: [clientHost] } })
    for (const [setting, status] of [
      ['off', 401],
      ['reviewed', 200],
    ] as const) {
      await applyMetadataSetting(any.database, setting)
      expect([setting, await useToken(body.access_token, any)]).toEqual([setting, status])
    }
  })

  test('with any, a user who is not signed in is not redirected to the client', async () => {
    const client = await createMetadataClient()
    const any = await startService({ clientMetadataDocuments: 'any' })
    const page = await new Browser(any.url).open(authorizationUrl(any, client, { prompt: 'none' }).url)
    expect([page.status, page.url.origin, page.text]).toEqual([400, any.url, expect.stringContaining('login_required')])
  })

  test('off: the client counts as unknown, and no document is fetched', async () => {
    const off = await startService({ clientMetadataDocuments: 'off' })
    await createTeam(off.database, { agentHosts: [clientHost] })
    const client = await createMetadataClient()
    const page = await new Browser(off.url).open(authorizationUrl(off, client).url)
    expect([page.status, page.text, client.requests]).toEqual([400, expect.stringContaining('invalid_client: client is invalid'), 0])
    const metadata = await (await fetch(`${off.url}/.well-known/oauth-authorization-server`)).json()
    expect(metadata).not.toHaveProperty('client_id_metadata_document_supported')
  })
})

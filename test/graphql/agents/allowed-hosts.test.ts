import { describe, expect, test } from 'vitest'
import { createClient } from '../../support/oauth/oauth.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

const allow =
  'mutation ($team: String!, $host: String!) { allowAgentHost(input: { team: $team, host: $host }) { team { agents { allowedHosts } } } }'
const remove =
  'mutation ($team: String!, $host: String!) { removeAgentHost(input: { team: $team, host: $host }) { team { agents { allowedHosts } } } }'

async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  const session = await sessionOf(service, owner)
  const change = (document: string) => (host: string) => executeAs(service, session, document, { team: team.slug, host })
  const countEntries = () => prisma.auditEntry.count({ where: { teamId: team.id, action: { in: ['allowAgentHost', 'removeAgentHost'] } } })
  return { team, owner, session, allow: change(allow), remove: change(remove), countEntries }
}

const hosts = (field: string, result: { data: any }) => result.data[field].team.agents.allowedHosts

describe('the hosts of agents that a team allows', () => {
  test('are added, listed by name and removed, and repeating a change has no effect', async () => {
    const scene = await createScene()
    expect(hosts('allowAgentHost', await scene.allow('zed.example.com'))).toEqual(['zed.example.com'])
    expect(hosts('allowAgentHost', await scene.allow('app.example.com'))).toEqual(['app.example.com', 'zed.example.com'])
    expect(hosts('allowAgentHost', await scene.allow('app.example.com'))).toEqual(['app.example.com', 'zed.example.com'])
    expect(hosts('removeAgentHost', await scene.remove('zed.example.com'))).toEqual(['app.example.com'])
    expect(hosts('removeAgentHost', await scene.remove('zed.example.com'))).toEqual(['app.example.com'])
    expect(await scene.countEntries()).toBe(3)
  })

  test.each([
    ['a name in capitals', ' App.Example.COM. ', 'app.example.com'],
    ['the URL of a client', 'https://app.example.com/oauth/client.json', 'app.example.com'],
    ['a name with a port', 'app.example.com:8443', 'app.example.com'],
    ['an international name', 'München.example.com', 'xn--mnchen-3ya.example.com'],
  ])('can be entered as %s', async (_, entered, stored) => {
    const scene = await createScene()
    expect(hosts('allowAgentHost', await scene.allow(entered))).toEqual([stored])
    expect(hosts('removeAgentHost', await scene.remove(entered))).toEqual([])
  })

  const name = 'The host field must be a host name such as app.example.com.'
  const publicName = 'The host field must name a host on the public internet.'
  test.each([
    ['an IPv4 address', '93.184.216.34', name],
    ['an IPv4 address in another notation', '0x7f.1', name],
    ['an IPv6 address', '[2606:2800:220:1:248:1893:25c8:1946]', name],
    ['a name of a local network', 'printer.local', publicName],
    ['a name in a private network', 'agents.internal', publicName],
    ['a name without a dot', 'agents', publicName],
    ['a wildcard', '*.example.com', name],
    ['user information', 'https://app.example.com@evil.example/', name],
    ['a name with a blank', 'app example.com', name],
    ['a name with an underscore', 'app_1.example.com', name],
    ['another scheme', 'javascript://app.example.com', name],
    ['nothing', '  ', 'The host field is required.'],
    ['a long text', `${'a.'.repeat(130)}com`, 'The host field must not be greater than 255 characters.'],
  ])('cannot be %s', async (_, host, message) => {
    const scene = await createScene()
    const { refusal } = await scene.allow(host)
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { host: [message] }])
  })

  test('are at most 20', async () => {
    const scene = await createScene()
    const agentHosts = Array.from({ length: 20 }, (_, index) => `a${index}.example.com`)
    await prisma.team.update({ where: { id: scene.team.id }, data: { agentHosts } })
    expect((await scene.allow('app.example.com')).refusal?.message).toBe('A team can allow at most 20 hosts. Remove one first.')
    expect((await scene.allow('a0.example.com')).refusal).toBeNull()
  })

  test('do not change the version of the team in REST', async () => {
    const scene = await createScene()
    const updatedAt = () => prisma.team.findUniqueOrThrow({ where: { id: scene.team.id }, select: { updatedAt: true } })
    const before = await updatedAt()
    await scene.allow('app.example.com')
    expect(await updatedAt()).toEqual(before)
  })
})

test('operators see the source of a client, and cannot change one by URL', async () => {
  const clientId = 'https://app.example.com/client.json'
  await createClient(database, { clientId, source: 'metadata', confidential: false, fetchedAt: new Date(Date.UTC(2026, 1, 1)) })
  const read = 'query ($clientId: ID!) { client(clientId: $clientId) { id source metadataUrl fetchedAt } }'
  const { data } = await executeAs(service, operator, read, { clientId })
  expect(data.client).toMatchObject({ source: 'METADATA', metadataUrl: clientId, fetchedAt: '2026-02-01T00:00:00.000Z' })
  const node = 'query ($id: ID!) { node(id: $id) { ... on OAuthClient { clientId } } }'
  expect((await executeAs(service, operator, node, { id: data.client.id })).data.node).toEqual({ clientId })
  const update = 'mutation ($clientId: ID!) { updateClient(input: { clientId: $clientId, name: "Other" }) { client { name } } }'
  const message = 'The selected client id is a URL. The document at the URL describes the client.'
  expect((await executeAs(service, operator, update, { clientId })).refusal?.message).toBe(message)
  const disable = 'mutation ($clientId: ID!) { disableClient(input: { clientId: $clientId }) { client { disabledAt } } }'
  expect((await executeAs(service, operator, disable, { clientId })).data.disableClient.client.disabledAt).not.toBeNull()
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { parseClientDocument } from '../../../schema/oauth/metadata-clients/client-document.ts'
import { saveMetadataClient } from '../../../schema/oauth/metadata-clients/save-metadata-client.ts'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { createClientKey, keySetOf } from '../../support/oauth/clients/client-keys.ts'
import { invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { clientHost, createMetadataClient } from '../../support/oauth/clients/metadata-client.ts'
import { deviceGrantType } from '../../support/oauth/device.ts'
import { authorizationUrl, authorize, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import { startService, useService } from '../../support/service/service.ts'

// How long the registration of a client by URL counts: docs/decisions/agents.md#clients-by-url.

const service = useService()
const { database, clock } = service
const { prisma } = database
const hour = 3_600_000
let team: Team
let user: User
beforeAll(async () => {
  team = await createTeam(database, { agentHosts: [clientHost] })
  user = await createPerson(database)
  await join(database, team, user, 'member')
})

type MetadataClient = Awaited<ReturnType<typeof createMetadataClient>>
async function connect(client: MetadataClient) {
  const authorization = await authorize(service, client, user)
  return { browser: authorization.browser, tokens: (await exchangeCode(service, client, authorization)).body }
}
const isAccepted = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status === 200
const findStored = ({ clientId }: Pick<MetadataClient, 'clientId'>) => prisma.oAuthClient.findUnique({ where: { clientId } })

describe('a stored document', () => {
  test('counts for an hour, and is then fetched again', async () => {
    const client = await createMetadataClient()
    const { tokens } = await connect(client)
    clock.advance(hour - 60_000)
    await authorize(service, client, user)
    expect(client.requests).toBe(1)
    clock.advance(2 * 60_000)
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
    expect(client.requests).toBe(2)
    await authorize(service, client, user)
    expect(client.requests).toBe(2)
  })

  test('still counts at the token endpoint if the host is down, and not for a new authorization', async () => {
    const client = await createMetadataClient()
    let { tokens } = await connect(client)
    client.answer = (_, response) => void response.destroy()
    clock.advance(2 * hour)
    for (let count = 0; count < 3; count++) {
      const { status, body } = await refresh(service, client, tokens.refresh_token)
      expect(status).toBe(200)
      tokens = body
    }
    // After a failure, token requests do not try again for a minute.
    expect(client.requests).toBe(2)
    const page = await new Browser(service.url).open(authorizationUrl(service, client).url)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('the document at the client_id could not be fetched')])
    expect(service.logged).toEqual([])
  })

  const key = createClientKey()
  const changes: [what: string, change: object, isRevoked: boolean][] = [
    ['another name', { client_name: 'Other Agent' }, true],
    ['another redirect URI', { redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/other'] }, true],
    ['keys', { token_endpoint_auth_method: 'private_key_jwt', jwks: keySetOf(key) }, true],
    ['another page', { client_uri: 'https://localhost/' }, false],
    [
      'the redirect URIs in another order, with those of others',
      { redirect_uris: ['https://x.example/', 'http://127.0.0.1/callback'] },
      false,
    ],
    ['another logo', { logo_uri: 'https://localhost/logo.png' }, false],
  ]
  test.each(changes)('with %s ends the grants or not', async (_, change, isRevoked) => {
    const client = await createMetadataClient()
    const { tokens } = await connect(client)
    clock.advance(2 * hour)
    client.change(change)
    await new Browser(service.url).open(authorizationUrl(service, client).url)
    expect(await isAccepted(tokens.access_token)).toBe(false)
    const response = await refresh(service, client, tokens.refresh_token)
    expect(response.status).toBe(isRevoked ? (change === changes[2]?.[1] ? 401 : 400) : 200)
    const entries = await prisma.auditEntry.findMany({
      where: { action: 'revokeGrant', teamId: team.id, after: { path: ['clientId'], equals: client.clientId } },
    })
    expect(entries.map(({ actorKind }) => actorKind)).toEqual(isRevoked ? ['system'] : [])
  })

  test('that changed is noticed at the token endpoint, too', async () => {
    const client = await createMetadataClient()
    const { tokens } = await connect(client)
    clock.advance(2 * hour)
    client.change({ client_name: 'Other Agent' })
    expect(await refresh(service, client, tokens.refresh_token)).toMatchObject({ status: 400, body: invalidGrant })
  })
})

test('twenty first requests of a client store it once', async () => {
  const client = await createMetadataClient()
  const { url } = authorizationUrl(service, client)
  const pages = await Promise.all(Array.from({ length: 20 }, () => new Browser(service.url).open(url)))
  expect(new Set(pages.map((page) => page.url.pathname))).toEqual(new Set(['/sign-in']))
  // A request that has read the state before the document was stored fetches it again.
  expect(client.requests).toBeLessThanOrEqual(2)
  expect(await prisma.oAuthClient.count({ where: { clientId: client.clientId } })).toBe(1)
})

test('processes that store a client at the same time store it once', async () => {
  const { clientId, document } = await createMetadataClient()
  const ports = { ...service, now: clock.now, brandName: 'Nimbus', clientMetadataDocuments: 'reviewed' as const }
  const registration = parseClientDocument(clientId, document, ports)
  const save = () => saveMetadataClient(ports, { clientId, registration, fetchedAt: clock.now(), requestId: 'test' })
  await Promise.all(Array.from({ length: 10 }, save))
  expect(await prisma.oAuthClient.count({ where: { clientId } })).toBe(1)
})

test('a device is connected after the document was fetched', async () => {
  const client = await createMetadataClient({ grant_types: [deviceGrantType, 'refresh_token'], redirect_uris: undefined })
  const { status, body } = await post(service, '/api/oauth/device', client, { scope: 'openid teams' })
  expect([status, typeof body.user_code, client.requests]).toEqual([200, 'string', 1])
})

describe('the cleanup', () => {
  const cleanUp = async () => {
    const retention = { auditDays: 0, endedInvitationDays: 0, endedTokenDays: 0, endedGrantDays: 0, deletedTeamDays: 14 }
    const cleanup = createCleanup({
      database,
      now: clock.now,
      retention,
      report: (error) => {
        throw error
      },
    })
    await cleanup.run()
  }
  const day = 24 * hour

  test('deletes an enabled client a day after it was fetched, or 30 days after its last grant', async () => {
    const [unused, used, disabled] = [await createMetadataClient(), await createMetadataClient(), await createMetadataClient()]
    for (const client of [unused, disabled]) await new Browser(service.url).open(authorizationUrl(service, client).url)
    await connect(used)
    await prisma.oAuthClient.update({ where: { clientId: disabled.clientId }, data: { disabledAt: clock.now() } })
    clock.advance(day - hour)
    await cleanUp()
    expect(await findStored(unused)).not.toBeNull()
    clock.advance(2 * hour)
    await cleanUp()
    expect([await findStored(unused), await findStored(used), await findStored(disabled)]).toEqual([
      null,
      expect.anything(),
      expect.anything(),
    ])
    await prisma.oAuthGrant.updateMany({ where: { client: { clientId: used.clientId } }, data: { revokedAt: clock.now() } })
    await cleanUp()
    expect(await findStored(used)).not.toBeNull()
    clock.advance(31 * day)
    await cleanUp()
    expect(await findStored(used)).toBeNull()
  })
})

test('first requests are limited per network address', async () => {
  const limited = await startService({ rateLimitAuthorization: 2, clientMetadataDocuments: 'any' })
  const open = (client: MetadataClient) => new Browser(limited.url).open(authorizationUrl(limited, client).url)
  const [first, second, third] = [await createMetadataClient(), await createMetadataClient(), await createMetadataClient()]
  for (const client of [first, second]) client.change({ client_secret: 'x' })
  expect([(await open(first)).status, (await open(second)).status, (await open(third)).status]).toEqual([400, 400, 429])
  expect(third.requests).toBe(0)
})

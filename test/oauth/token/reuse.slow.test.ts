import { beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { request } from '../../support/http/request.ts'
import { connectClient, invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { travel } from '../../support/service/clock.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService()
const { database } = service
const { prisma } = database
beforeEach(() => void (service.mails.length = 0))
const reuseMails = () => service.mails.filter(({ kind }) => kind === 'refresh-token-reuse')

/** Refreshes once and waits until the response is recorded as delivered. Returns the used and the current tokens. */
async function refreshOnce(options: Parameters<typeof connectClient>[1] = {}) {
  const { user, client, tokens } = await connectClient(service, options)
  const { body: current } = await refresh(service, client, tokens.refresh_token)
  await waitFor(async () => (await storedResponseOf(tokens.refresh_token))?.deliveredAt)
  return { user, client, used: tokens.refresh_token, current }
}
const storedResponseOf = (value: string) => prisma.tokenResponse.findUnique({ where: { modelHash: sha256(value) } })
const tryAgain = async (client: TestClient, token: string) => {
  const { status, body } = await refresh(service, client, token)
  return [status, body]
}
const refused = [400, invalidGrant]
const accountStatus = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status

describe('a refresh token that is used a second time', () => {
  test('within ten seconds of its replacement, with its successor unused, is refused without consequences', async () => {
    const { client, used, current } = await refreshOnce()
    for (const milliseconds of [0, 20, 9000]) {
      travel(milliseconds)
      expect(await tryAgain(client, used)).toEqual(refused)
    }
    expect(await accountStatus(current.access_token)).toBe(200)
    expect((await refresh(service, client, current.refresh_token)).status).toBe(200)
    expect(reuseMails()).toEqual([])
  })

  test('more than ten seconds after its replacement ends its chain, and the user receives one mail', async () => {
    const { user, client, used, current } = await refreshOnce()
    travel(11_000)
    for (let i = 0; i < 3; i++) expect(await tryAgain(client, used)).toEqual(refused)
    expect(await accountStatus(current.access_token)).toBe(401)
    expect(await tryAgain(client, current.refresh_token)).toEqual(refused)
    expect(reuseMails()).toEqual([{ kind: 'refresh-token-reuse', userId: user.id, chainId: expect.any(String), at: expect.any(String) }])
  })

  test('after its successor was used ends its chain, also within ten seconds', async () => {
    const { client, used, current } = await refreshOnce()
    const { body: next } = await refresh(service, client, current.refresh_token)
    expect(await tryAgain(client, used)).toEqual(refused)
    expect(await tryAgain(client, next.refresh_token)).toEqual(refused)
    expect(reuseMails()).toMatchObject([{ kind: 'refresh-token-reuse' }])
  })

  test('by ten requests at once ends its chain once', async () => {
    const { client, used } = await refreshOnce()
    travel(11_000)
    const responses = await Promise.all(Array.from({ length: 10 }, () => tryAgain(client, used)))
    for (const response of responses) expect(response).toEqual(refused)
    expect(reuseMails().length).toBe(1)
  })

  test('by another client is refused without consequences', async () => {
    const { client, used, current } = await refreshOnce()
    const other = await createClient(database)
    travel(11_000)
    expect(await tryAgain(other, used)).toEqual(refused)
    expect((await refresh(service, client, current.refresh_token)).status).toBe(200)
    expect(reuseMails()).toEqual([])
  })

  test('after its stored response was deleted ends its chain', async () => {
    const { client, used, current } = await refreshOnce()
    await prisma.tokenResponse.delete({ where: { modelHash: sha256(used) } })
    travel(11 * 60_000)
    expect(await tryAgain(client, used)).toEqual(refused)
    expect(await tryAgain(client, current.refresh_token)).toEqual(refused)
  })
})

describe('a refresh token whose response was never delivered', () => {
  // A process that is killed before it sends the response leaves these rows.
  const forgetDelivery = (value: string) =>
    prisma.tokenResponse.update({ where: { modelHash: sha256(value) }, data: { deliveredAt: null } })

  test('returns the same response however late, as long as its successor is unused', async () => {
    const { client, used, current } = await refreshOnce()
    await forgetDelivery(used)
    travel(1_800_000)
    const again = await refresh(service, client, used)
    expect([again.status, again.body]).toEqual([200, { ...current, expires_in: 1800, id_token: expect.any(String) }])
    expect((await refresh(service, client, again.body.refresh_token)).status).toBe(200)
    expect(reuseMails()).toEqual([])
  })

  test('ends its chain after its successor was used', async () => {
    const { client, used, current } = await refreshOnce()
    await refresh(service, client, current.refresh_token)
    await forgetDelivery(used)
    expect(await tryAgain(client, used)).toEqual(refused)
    expect(reuseMails()).toMatchObject([{ kind: 'refresh-token-reuse' }])
  })

  test('returns nothing after its chain was revoked', async () => {
    const { user, client, used } = await refreshOnce()
    await forgetDelivery(used)
    await prisma.tokenChain.updateMany({ where: { grant: { userId: user.id } }, data: { revokedAt: new Date() } })
    expect(await tryAgain(client, used)).toEqual(refused)
  })
})

describe('the replay window of a client', () => {
  test('returns the same response again until it ends; then the second use ends the chain', async () => {
    const { client, used, current } = await refreshOnce({ refreshReplaySeconds: 60 })
    for (const milliseconds of [0, 30_000, 29_000]) {
      travel(milliseconds)
      expect((await refresh(service, client, used)).body.refresh_token).toBe(current.refresh_token)
    }
    travel(2000)
    expect(await tryAgain(client, used)).toEqual(refused)
    expect(await tryAgain(client, current.refresh_token)).toEqual(refused)
  })

  test('shorter than ten seconds is followed by a refusal without consequences', async () => {
    const { client, used, current } = await refreshOnce({ refreshReplaySeconds: 5 })
    travel(7000)
    expect(await tryAgain(client, used)).toEqual(refused)
    expect((await refresh(service, client, current.refresh_token)).status).toBe(200)
  })
})

describe('an authorization code that is used a second time', () => {
  async function exchangeOnce() {
    const client = await createClient(database, { refreshReplaySeconds: 60 })
    const authorization = await authorize(service, client, await createPerson(database))
    const { body } = await exchangeCode(service, client, authorization)
    await waitFor(async () => (await storedResponseOf(authorization.code))?.deliveredAt)
    return { client, authorization, body }
  }

  test('ends its chain at once, without a mail', async () => {
    const { client, authorization, body } = await exchangeOnce()
    expect((await exchangeCode(service, client, authorization)).body).toEqual(invalidGrant)
    expect(await tryAgain(client, body.refresh_token)).toEqual(refused)
    expect(reuseMails()).toEqual([])
  })

  test('returns the same response if that was never delivered and its refresh token is unused', async () => {
    const { client, authorization, body } = await exchangeOnce()
    const modelHash = sha256(authorization.code)
    await prisma.tokenResponse.update({ where: { modelHash }, data: { deliveredAt: null } })
    expect((await exchangeCode(service, client, authorization)).body).toMatchObject({ refresh_token: body.refresh_token })
    await refresh(service, client, body.refresh_token)
    await prisma.tokenResponse.update({ where: { modelHash }, data: { deliveredAt: null } })
    expect((await exchangeCode(service, client, authorization)).body).toEqual(invalidGrant)
  })
})

describe('a client that sends two refreshes 20 milliseconds apart', () => {
  test('stays connected with each of its 40 chains', async () => {
    const { user, client, browser } = await connectClient(service)
    const current: string[] = []
    for (let i = 0; i < 40; i++) {
      const { body: tokens } = await exchangeCode(service, client, await authorize(service, client, user, { browser }))
      const first = refresh(service, client, tokens.refresh_token)
      // Not a wait for a result: it is how far apart the requests are sent.
      await new Promise((resolve) => setTimeout(resolve, 20))
      const responses = await Promise.all([first, refresh(service, client, tokens.refresh_token)])
      const granted = responses.filter(({ status }) => status === 200).map(({ body }) => body.refresh_token)
      expect(new Set(granted).size).toBe(1)
      for (const { status, body } of responses) if (status !== 200) expect([status, body]).toEqual(refused)
      current.push(granted[0])
    }
    const responses = await Promise.all(current.map((token) => refresh(service, client, token)))
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200))
    expect(reuseMails()).toEqual([])
  })
})

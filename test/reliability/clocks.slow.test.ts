import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../support/browser/browser.ts'
import { invalidGrant } from '../support/oauth/clients/connect-client.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh, signIn } from '../support/oauth/oauth.ts'
import type { ClientOptions } from '../support/oauth/oauth.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { waitFor } from '../support/service/wait.ts'
import type { User } from '../../prisma/generated/client/client.ts'

// One process is five minutes slow, the other five minutes fast. Only the clock of the database may count.
const service = usePair({}, { clockShifts: [-300_000, 300_000] })
const { database } = service
const { pool } = database
const grantTypes = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']
let person: User
beforeAll(async () => {
  person = await createPerson(database)
})

/** Moves an event in the database to some seconds from now, in place of moving clocks. */
const move = (column: 'consumed_at' | 'expires_at', token: string, seconds: number) =>
  pool.query(`UPDATE oidc_models SET ${column} = clock_timestamp() + interval '1 second' * $2 WHERE id_hash = $1`, [sha256(token), seconds])
const accountStatus = async (token: string) =>
  (await fetch(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status
const mailsAbout = async (kind: string) => (await pool.query(`SELECT 1 FROM pgboss.job WHERE data->>'kind' = $1`, [kind])).rows.length

describe.each([
  ['slow', 0, 1],
  ['fast', 1, 0],
] as const)('what began at the process with the %s clock', (_, first, second) => {
  /** Connects a client at the first process, refreshes once there, and continues at the second process. */
  async function refreshedAtFirst(options: ClientOptions = {}) {
    await service.useOnly(first)
    const client = await createClient(database, options)
    const { body: tokens } = await exchangeCode(service, client, await authorize(service, client, person))
    const { body: current } = await refresh(service, client, tokens.refresh_token)
    const modelHash = sha256(tokens.refresh_token)
    await waitFor(async () => (await database.prisma.tokenResponse.findUnique({ where: { modelHash } }))?.deliveredAt)
    await service.useOnly(second)
    return { client, used: tokens.refresh_token, current }
  }

  test('continues at the other: session, authorization code, access token and refresh token', async () => {
    await service.useOnly(first)
    const client = await createClient(database)
    const authorization = await authorize(service, client, person)
    await service.useOnly(second)
    const { status, body: tokens } = await exchangeCode(service, client, authorization)
    expect([status, tokens.expires_in]).toEqual([200, 3600])
    const silent = authorizationUrl(service, client, { prompt: 'none', max_age: '30' })
    expect((await authorization.browser.open(silent.url)).url.searchParams.has('code')).toBe(true)
    await service.useOnly(first)
    expect(await accountStatus(tokens.access_token)).toBe(200)
    const { body: next } = await refresh(service, client, tokens.refresh_token)
    expect(next.expires_in).toBe(3600)
    await service.useOnly(second)
    await move('expires_at', next.access_token, 10)
    expect(await accountStatus(next.access_token)).toBe(200)
    await move('expires_at', next.access_token, -1)
    expect(await accountStatus(next.access_token)).toBe(401)
  })

  test('is refused there without consequences within ten seconds of a refresh, and is reuse later', async () => {
    const { client, used, current } = await refreshedAtFirst()
    const mails = await mailsAbout('refresh-token-reuse')
    expect((await refresh(service, client, used)).body).toEqual(invalidGrant)
    await move('consumed_at', used, -6)
    expect((await refresh(service, client, used)).body).toEqual(invalidGrant)
    expect([await accountStatus(current.access_token), await mailsAbout('refresh-token-reuse')]).toEqual([200, mails])
    await move('consumed_at', used, -11)
    expect((await refresh(service, client, used)).body).toEqual(invalidGrant)
    expect([await accountStatus(current.access_token), await mailsAbout('refresh-token-reuse')]).toEqual([401, mails + 1])
    expect((await refresh(service, client, current.refresh_token)).body).toEqual(invalidGrant)
  })

  test('is repeated there within the replay window of the client only', async () => {
    const { client, used, current } = await refreshedAtFirst({ refreshReplaySeconds: 30 })
    await move('consumed_at', used, -25)
    expect((await refresh(service, client, used)).body.refresh_token).toBe(current.refresh_token)
    await move('consumed_at', used, -31)
    expect((await refresh(service, client, used)).body).toEqual(invalidGrant)
  })

  test('keeps its polling interval there, and so do pushed requests and sign-in prompts', async () => {
    await service.useOnly(first)
    const client = await createClient(database, { grantTypes })
    const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
    const poll = async () =>
      (await post(service, '/api/oauth/token', client, { grant_type: grantTypes[2] ?? '', device_code: device.device_code })).body.error
    expect(await poll()).toBe('authorization_pending')
    await service.useOnly(second)
    expect(await poll()).toBe('slow_down')
    const earlier = `UPDATE oidc_models SET payload = payload || jsonb_build_object('polledAt', (payload->>'polledAt')::bigint - 11000) WHERE id_hash = $1`
    await pool.query(earlier, [sha256(device.device_code)])
    expect(await poll()).toBe('authorization_pending')

    await service.useOnly(first)
    const { url, verifier } = authorizationUrl(service, client, { max_age: '20' })
    const pushed = await post(service, '/api/oauth/par', client, Object.fromEntries(url.searchParams))
    await service.useOnly(second)
    const browser = new Browser(service.url)
    const request = new URLSearchParams({ client_id: client.clientId, request_uri: pushed.body.request_uri })
    const page = await browser.open(new URL(`/login/oauth/authorize?${request}`, service.url))
    await service.useOnly(first)
    const consent = await signIn(browser, page, person)
    await service.useOnly(second)
    const code = (await browser.press(consent, 'Allow access')).url.searchParams.get('code') ?? ''
    expect((await exchangeCode(service, client, { code, verifier })).status).toBe(200)
  })
})

import { afterAll, describe, expect, test } from 'vitest'
import { openClient } from '../../prisma/client.ts'
import { Browser } from '../support/browser.ts'
import { createDatabase } from '../support/database.ts'
import { authorize, createClient, createPerson, exchangeCode, password, post, refresh } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { startMain } from '../support/service-process.ts'
import type { ServiceProcess } from '../support/service-process.ts'

const { poolConfig, url: databaseUrl, drop } = await createDatabase()
const database = openClient(poolConfig)
const running: ServiceProcess[] = []
afterAll(async () => {
  for (const each of running) each.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await database.close()
  await drop()
})

/** The service with as few connections as it may have, telling all it can. */
async function start(settings: Record<string, string> = {}) {
  const service = startMain({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '2',
    LOG_LEVEL: 'trace',
    SECRET_KEY: secretKey,
    RATE_LIMIT_API: '0',
    ...settings,
  })
  running.push(service)
  return { ...service, url: await service.origin }
}
type Running = Awaited<ReturnType<typeof start>>

async function connect(service: Running, client: TestClient, browser: Browser): Promise<string> {
  const { body } = await exchangeCode(service, client, await authorize(service, client, await person, { browser }))
  return body.refresh_token
}
const person = createPerson(database)

describe('a service with two connections to its database', () => {
  test('answers 60 token requests at once, of one token and of many', async () => {
    const service = await start()
    // Those that come after the first answer has left get it too, as a machine under load would have it.
    const client = await createClient(database, { refreshReplaySeconds: 60 })
    const browser = new Browser(service.url)
    const tokens: string[] = []
    for (let i = 0; i < 20; i++) tokens.push(await connect(service, client, browser))
    const began = performance.now()
    const answers = await Promise.all(tokens.flatMap((token) => [token, token, token]).map((token) => refresh(service, client, token)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(tokens.length)
  })
})

describe('a service that logs all it can', () => {
  test('logs no secret of anybody, be it accepted or refused', async () => {
    const service = await start()
    const client = await createClient(database)
    const tv = await createClient(database, {
      confidential: false,
      redirectUris: [],
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
    })
    const given = await authorize(service, client, await person, { changes: { state: 'state-of-the-client' } })
    const { body: tokens } = await exchangeCode(service, client, given)
    const { body: next } = await refresh(service, client, tokens.refresh_token)
    await refresh(service, client, tokens.refresh_token)
    const { body: device } = await post(service, '/api/oauth/device', tv, { scope: 'openid' })
    const { browser } = given
    await browser.open(device.verification_uri_complete)
    await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
    await post(service, '/api/oauth/introspect', client, { token: next.access_token })
    await post(service, '/api/oauth/token', { ...client, secret: 'a wrong secret' }, { grant_type: 'refresh_token' })
    await fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${next.access_token}` } })
    await fetch(`${service.url}/api/oauth/userinfo?access_token=${next.access_token}`)
    await fetch(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${next.access_token}` } })
    // Faults are logged with all that is known of them.
    await database.pool.query('ALTER TABLE oauth_artifacts RENAME TO away')
    const failed = await refresh(service, client, next.refresh_token)
    await database.pool.query('ALTER TABLE away RENAME TO oauth_artifacts')
    expect(failed.status).toBe(500)
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)

    const { stdout, stderr } = service.output()
    const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.length).toBeGreaterThan(15)
    expect(stderr).toContain(failed.headers.get('x-request-id'))
    // That of an interaction is in the address of its page; what makes it good for something is the signature beside it.
    const cookies = [...browser.cookies.values()].filter(({ name }) => !['interaction', 'resume'].includes(name)).map(({ value }) => value)
    const secrets = {
      password,
      secret: client.secret,
      basic: Buffer.from(`${client.clientId}:${client.secret}`).toString('base64'),
      wrong: 'a wrong secret',
      code: given.code,
      verifier: given.verifier,
      state: 'state-of-the-client',
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      nextAccessToken: next.access_token,
      nextRefreshToken: next.refresh_token,
      idToken: tokens.id_token,
      deviceCode: device.device_code,
      userCode: device.user_code,
      secretKey: 'test test',
      ...Object.fromEntries(cookies.map((value, index) => [`cookie ${index}`, value])),
    }
    expect(cookies.length).toBeGreaterThan(1)
    for (const [name, secret] of Object.entries(secrets)) {
      expect([name, typeof secret, `${stdout}${stderr}`.includes(String(secret))]).toEqual([name, 'string', false])
    }
  })
})

const refreshOnce = (service: Running, client: TestClient, token: string) =>
  post(service, '/api/oauth/token', client, { grant_type: 'refresh_token', refresh_token: token })

describe('a service that is told to stop under load', () => {
  test('ends in order, and what it had answered holds: everybody goes on, and reuse is refused', async () => {
    const first = await start({ DATABASE_POOL: '10' })
    const client = await createClient(database)
    const browser = new Browser(first.url)
    const everyone = Array.from({ length: 12 }, () => ({ token: '', before: '' }))
    for (const each of everyone) each.token = await connect(first, client, browser)
    let refreshed = 0
    const working = everyone.map(async (each) => {
      for (;;) {
        const answer = await refreshOnce(first, client, each.token).catch(() => null)
        if (answer === null) return
        expect(answer.status).toBe(200)
        Object.assign(each, { before: each.token, token: answer.body.refresh_token })
        refreshed += 1
      }
    })
    const isUnderLoad = () => refreshed >= 100
    while (!isUnderLoad()) await new Promise(setImmediate)
    const told = performance.now()
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(performance.now() - told).toBeLessThan(10_000)
    await Promise.all(working)
    const second = await start({ DATABASE_POOL: '10' })
    for (const each of everyone) {
      const answer = await refresh(second, client, each.token)
      expect([answer.status, answer.body.error]).toEqual([200, undefined])
    }
    // Marks of what was handed over are written before the end: no token of the past counts as lost.
    const reused = await refresh(second, client, everyone[0]?.before ?? '')
    expect([reused.status, reused.body]).toEqual([400, { error: 'invalid_grant', error_description: 'grant request is invalid' }])
    const { rows } = await database.pool.query<{ unmarked: number }>(
      'SELECT count(*)::int AS unmarked FROM oauth_answers WHERE delivered_at IS NULL',
    )
    expect(rows).toEqual([{ unmarked: 0 }])
  })
})

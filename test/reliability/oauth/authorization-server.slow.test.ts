import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useDatabase } from '../../support/service/database.ts'
import { answered } from '../../support/oauth/answered.ts'
import { authorize, createClient, createPerson, exchangeCode, password, post, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { startMain } from '../../support/processes/service-process.ts'
import type { ServiceProcess } from '../../support/processes/service-process.ts'
import { waitFor } from '../../support/service/wait.ts'
import type { User } from '../../../prisma/generated/client/client.ts'

const { poolConfig, url: databaseUrl } = useDatabase()
const database = openClient(poolConfig)
let person: User
beforeAll(async () => {
  person = await createPerson(database)
})
const running: ServiceProcess[] = []
afterAll(async () => {
  for (const service of running) service.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await database.close()
})

/** Starts a service with the smallest connection pool and the most detailed log level. */
async function start(settings: Record<string, string> = {}) {
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `authorization-server-${process.pid}`),
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
  const { body } = await exchangeCode(service, client, await authorize(service, client, person, { browser }))
  return body.refresh_token
}

describe('a service with two database connections', () => {
  test('responds to 60 simultaneous token requests, with one refresh token and with many', async () => {
    const service = await start()
    // On a busy machine a request can arrive after the first response was delivered. The replay time covers those requests too.
    const client = await createClient(database, { refreshReplaySeconds: 60 })
    const browser = new Browser(service.url)
    const tokens: string[] = []
    for (let i = 0; i < 20; i++) tokens.push(await connect(service, client, browser))
    const responses = await Promise.all(
      tokens.flatMap((token) => [token, token, token]).map((token) => answered(() => refresh(service, client, token))),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(tokens.length)
  })
})

describe('a service with the log level trace', () => {
  test('logs no secret, neither of accepted nor of refused requests', async () => {
    const service = await start()
    const client = await createClient(database)
    const tv = await createClient(database, {
      confidential: false,
      redirectUris: [],
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
    })
    const authorization = await authorize(service, client, person, { changes: { state: 'state-of-the-client' } })
    const { body: tokens } = await exchangeCode(service, client, authorization)
    const { body: next } = await refresh(service, client, tokens.refresh_token)
    await refresh(service, client, tokens.refresh_token)
    const { body: device } = await post(service, '/api/oauth/device', tv, { scope: 'openid' })
    const { browser } = authorization
    await browser.open(device.verification_uri_complete)
    await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
    await post(service, '/api/oauth/introspect', client, { token: next.access_token })
    await post(service, '/api/oauth/token', { ...client, secret: 'a wrong secret' }, { grant_type: 'refresh_token' })
    await fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${next.access_token}` } })
    await fetch(`${service.url}/api/oauth/userinfo?access_token=${next.access_token}`)
    await fetch(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${next.access_token}` } })
    // Unexpected errors are logged with their cause and all their properties.
    await database.pool.query('ALTER TABLE oidc_models RENAME TO unavailable_models')
    const failed = await refresh(service, client, next.refresh_token)
    await database.pool.query('ALTER TABLE unavailable_models RENAME TO oidc_models')
    expect(failed.status).toBe(500)
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)

    const { stdout, stderr } = service.output()
    const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.length).toBeGreaterThan(15)
    expect(stderr).toContain(failed.headers.get('x-request-id'))
    // The identifier of an interaction is part of its URL and so is logged. It is usable only together with its signature cookie.
    const cookies = [...browser.cookies.values()].filter(({ name }) => !['interaction', 'resume'].includes(name)).map(({ value }) => value)
    const secrets = {
      password,
      secret: client.secret,
      basic: Buffer.from(`${client.clientId}:${client.secret}`).toString('base64'),
      wrong: 'a wrong secret',
      code: authorization.code,
      verifier: authorization.verifier,
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

/** Sends one refresh request, without the retries of `refresh`. */
const refreshOnce = (service: Running, client: TestClient, token: string) =>
  post(service, '/api/oauth/token', client, { grant_type: 'refresh_token', refresh_token: token })

/** How many responses of the token endpoint are not recorded as delivered. */
const undelivered = () => database.prisma.tokenResponse.count({ where: { deliveredAt: null } })

describe('a service that receives SIGTERM under load', () => {
  test('shuts down gracefully, keeps every issued refresh token usable, and still detects reuse', async () => {
    const first = await start({ DATABASE_POOL: '10' })
    const client = await createClient(database)
    const browser = new Browser(first.url)
    const sessions = Array.from({ length: 12 }, () => ({ token: '', previousToken: '' }))
    for (const session of sessions) session.token = await connect(first, client, browser)
    let refreshed = 0
    const refreshLoops = sessions.map(async (session) => {
      for (;;) {
        const response = await refreshOnce(first, client, session.token).catch(() => null)
        if (response === null) return
        if (response.status === 503) continue
        if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
        Object.assign(session, { previousToken: session.token, token: response.body.refresh_token })
        refreshed += 1
      }
    })
    // A loop that fails ends the test.
    await Promise.race([waitFor(() => refreshed >= 100), ...refreshLoops])
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    await Promise.all(refreshLoops)
    // Only after the exit: a running service writes deliveries some milliseconds after the responses.
    expect(await undelivered()).toBe(0)
    const second = await start({ DATABASE_POOL: '10' })
    for (const session of sessions) {
      const response = await refresh(second, client, session.token)
      expect([response.status, response.body.error]).toEqual([200, undefined])
    }
    // The service records every delivery before it exits, so a previous token counts as reused and not as undelivered.
    const reused = await refresh(second, client, sessions[0]?.previousToken ?? '')
    expect([reused.status, reused.body]).toEqual([400, { error: 'invalid_grant', error_description: 'grant request is invalid' }])
    second.signal('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(await undelivered()).toBe(0)
  })
})

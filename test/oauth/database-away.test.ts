import { afterAll, describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { layWire } from '../support/wire.ts'
import type { Wire } from '../support/wire.ts'

let wire: Wire | undefined
const service = await startService({}, undefined, async (poolConfig) => {
  wire = await layWire(poolConfig)
  return wire.poolConfig
})
afterAll(() => wire?.close())
const { database } = service
const client = await createClient(database, {
  grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
})
const person = await createPerson(database)

describe.each(['cut', 'dangle'] as const)('a database that is away (%s)', (how) => {
  test('makes every endpoint answer 503 in time, and loses nothing', async () => {
    const { body: tokens } = await exchangeCode(service, client, await authorize(service, client, person))
    const authorization = `Bearer ${tokens.access_token}`
    await wire?.[how]()
    const started = performance.now()
    const answers = await Promise.all([
      refresh(service, client, tokens.refresh_token),
      post(service, '/api/oauth/introspect', client, { token: tokens.access_token }),
      post(service, '/api/oauth/revoke', client, { token: tokens.access_token }),
      post(service, '/api/oauth/device', client, { scope: 'openid' }),
      post(service, '/api/oauth/par', client, { response_type: 'code' }),
      fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization } }).then(async (answer) => ({
        status: answer.status,
        headers: answer.headers,
        body: await answer.json(),
      })),
    ])
    const page = await new Browser(service.url).open(authorizationUrl(service, client).url)
    expect(performance.now() - started).toBeLessThan(6000)
    for (const { status, headers, body } of answers) {
      expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', 'temporarily_unavailable'])
    }
    expect([page.status, page.headers.get('retry-after'), page.url.origin]).toEqual([503, '1', service.url])
    await wire?.mend()
    const mended = performance.now()
    let answer = await refresh(service, client, tokens.refresh_token)
    while (answer.status === 503) answer = await refresh(service, client, tokens.refresh_token)
    expect(performance.now() - mended).toBeLessThan(1000)
    expect(answer.status).toBe(200)
  })
})

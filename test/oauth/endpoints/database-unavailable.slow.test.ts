import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { deviceGrantType } from '../../support/oauth/device.ts'
import { useDisconnectableService } from '../../support/oauth/disconnectable-service.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import type { User } from '../../../prisma/generated/client/client.ts'

const { service, proxy } = useDisconnectableService()
const { database } = service
let client: TestClient
let user: User
beforeAll(async () => {
  client = await createClient(database, {
    grantTypes: ['authorization_code', 'refresh_token', deviceGrantType],
  })
  user = await createPerson(database)
})

describe.each(['disconnect', 'stall'] as const)('while the database is unreachable (%s)', (how) => {
  test('every endpoint returns 503, and the refresh token stays valid', async () => {
    const { body: tokens } = await exchangeCode(service, client, await authorize(service, client, user))
    const authorization = `Bearer ${tokens.access_token}`
    await proxy[how]()
    const responses = await Promise.all([
      refresh(service, client, tokens.refresh_token),
      post(service, '/api/oauth/introspect', client, { token: tokens.access_token }),
      post(service, '/api/oauth/revoke', client, { token: tokens.access_token }),
      post(service, '/api/oauth/device', client, { scope: 'openid' }),
      post(service, '/api/oauth/par', client, { response_type: 'code' }),
      fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization } }).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: await response.json(),
      })),
    ])
    const page = await new Browser(service.url).open(authorizationUrl(service, client).url)
    for (const { status, headers, body } of responses) {
      expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', 'temporarily_unavailable'])
    }
    expect([page.status, page.headers.get('retry-after'), page.url.origin]).toEqual([503, '1', service.url])
    await proxy.restore()
    let response = await refresh(service, client, tokens.refresh_token)
    while (response.status === 503) response = await refresh(service, client, tokens.refresh_token)
    expect(response.status).toBe(200)
  })
})

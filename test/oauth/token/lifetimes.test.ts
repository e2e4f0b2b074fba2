import { describe, expect, test } from 'vitest'
import { connectClient, invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { travel } from '../../support/service/clock.ts'
import { post, refresh } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const day = 86_400_000

describe('an access token', () => {
  test('is valid for one hour', async () => {
    const { client, tokens } = await connectClient(service)
    const status = async () => (await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status
    travel(3_590_000)
    expect(await status()).toBe(200)
    travel(20_000)
    expect(await status()).toBe(401)
    expect((await post(service, '/api/oauth/introspect', client, { token: tokens.access_token })).body).toEqual({ active: false })
  })
})

describe('a refresh token', () => {
  test('expires 30 days after it was issued; each refresh starts a new period', async () => {
    const { client, tokens } = await connectClient(service)
    travel(29 * day)
    const { status, body } = await refresh(service, client, tokens.refresh_token)
    expect(status).toBe(200)
    travel(29 * day)
    const next = await refresh(service, client, body.refresh_token)
    expect(next.status).toBe(200)
    travel(31 * day)
    expect((await refresh(service, client, next.body.refresh_token)).body).toEqual(invalidGrant)
  })

  test('expires one year after the authorization, however often it is refreshed', async () => {
    const { client, tokens } = await connectClient(service)
    let token = tokens.refresh_token
    for (let month = 1; month <= 14; month++) {
      travel(26 * day)
      const { status, body } = await refresh(service, client, token)
      expect([month, status]).toEqual([month, 200])
      token = body.refresh_token
    }
    // 14 × 26 = 364 days have passed.
    travel(2 * day)
    expect((await refresh(service, client, token)).body).toEqual(invalidGrant)
  })
})

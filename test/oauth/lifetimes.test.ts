import { describe, expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const day = 86_400_000
const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }

async function connected() {
  const client = await createClient(database)
  const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(database)))
  return { client, tokens: body }
}

describe('an access token', () => {
  test('works for an hour', async () => {
    const { client, tokens } = await connected()
    const status = async () => (await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status
    travel(3_590_000)
    expect(await status()).toBe(200)
    travel(20_000)
    expect(await status()).toBe(401)
    expect((await post(service, '/api/oauth/introspect', client, { token: tokens.access_token })).body).toEqual({ active: false })
  })
})

describe('a refresh token', () => {
  test('works for 30 days from its last use', async () => {
    const { client, tokens } = await connected()
    travel(29 * day)
    const { status, body } = await refresh(service, client, tokens.refresh_token)
    expect(status).toBe(200)
    travel(29 * day)
    const next = await refresh(service, client, body.refresh_token)
    expect(next.status).toBe(200)
    travel(31 * day)
    expect((await refresh(service, client, next.body.refresh_token)).body).toEqual(invalidGrant)
  })

  test('works for a year in all, however often it was used', async () => {
    const { client, tokens } = await connected()
    let token = tokens.refresh_token
    for (let month = 1; month <= 14; month++) {
      travel(26 * day)
      const { status, body } = await refresh(service, client, token)
      expect([month, status]).toEqual([month, 200])
      token = body.refresh_token
    }
    // 364 days have passed.
    travel(2 * day)
    expect((await refresh(service, client, token)).body).toEqual(invalidGrant)
  })
})

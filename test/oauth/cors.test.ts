import { describe, expect, test } from 'vitest'
import { authorize, createClient, createPerson, exchangeCode } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service

/** What a page of this origin may read of the endpoints that its client calls. */
async function allowed(redirectUri: string, origin: string) {
  const client = await createClient(database, { confidential: false, redirectUris: [redirectUri] })
  const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(database)))
  const token = await fetch(`${service.url}/api/oauth/token`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: client.clientId, refresh_token: body.refresh_token }),
  })
  const userInfo = await fetch(`${service.url}/api/oauth/userinfo`, { headers: { origin, authorization: `Bearer ${body.access_token}` } })
  return [token, userInfo].map(({ status, headers }) => [status, headers.get('access-control-allow-origin')])
}

describe('a page in a browser', () => {
  test.each([
    ['https://app.example/callback', 'https://app.example'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5173'],
    ['http://[::1]/callback', 'http://[::1]:5173'],
  ])('whose client is called back at %s may call from %s', async (redirectUri, origin) => {
    expect(await allowed(redirectUri, origin)).toEqual([
      [200, origin],
      [200, origin],
    ])
  })

  test.each([
    ['https://app.example/callback', 'https://evil.example'],
    ['https://app.example/callback', 'http://app.example'],
    ['https://app.example/callback', 'https://app.example:8443'],
    ['http://127.0.0.1/callback', 'http://localhost:5173'],
    ['https://app.example/callback', 'null'],
    ['com.example.app:/callback', 'null'],
  ])('whose client is called back at %s may not call from %s', async (redirectUri, origin) => {
    for (const [status, allow] of await allowed(redirectUri, origin)) expect([status, allow]).toEqual([400, null])
  })
})

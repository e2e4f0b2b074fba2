import { describe, expect, test } from 'vitest'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

/** Status code and Access-Control-Allow-Origin of the token endpoint and UserInfo for a page of this origin. */
async function requestFrom(redirectUri: string, origin: string) {
  const { client, tokens } = await connectClient(service, { confidential: false, redirectUris: [redirectUri] })
  const token = await fetch(`${service.url}/api/oauth/token`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: client.clientId, refresh_token: tokens.refresh_token }),
  })
  const userInfo = await fetch(`${service.url}/api/oauth/userinfo`, { headers: { origin, authorization: `Bearer ${tokens.access_token}` } })
  return [token, userInfo].map(({ status, headers }) => [status, headers.get('access-control-allow-origin')])
}

describe('a page of a client with the redirect URI', () => {
  test.each([
    ['https://app.example/callback', 'https://app.example'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5173'],
    ['http://localhost/callback', 'http://localhost:5173'],
    ['http://[::1]/callback', 'http://[::1]:5173'],
  ])('%s may call the token endpoint and UserInfo from the origin %s', async (redirectUri, origin) => {
    expect(await requestFrom(redirectUri, origin)).toEqual([
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
  ])('%s may not call the token endpoint or UserInfo from the origin %s', async (redirectUri, origin) => {
    for (const [status, allowOrigin] of await requestFrom(redirectUri, origin)) expect([status, allowOrigin]).toEqual([400, null])
  })
})

test('a page of the service itself may call the token endpoint and UserInfo, although browsers send Origin there, too', async () => {
  expect(await requestFrom('https://app.example/callback', service.url)).toEqual([
    [200, service.url],
    [200, service.url],
  ])
})

import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Endpoints for clients return errors as JSON, whatever the Accept header field says (RFC 6749 §5.2).

const service = useService()
const { pool } = service.database

// The default Accept header field of Java's HttpURLConnection, and that of a browser.
const accepts = ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'text/html']
let basic: string
let wrongBasic: string
beforeAll(async () => {
  const { clientId, secret } = await createClient(service.database)
  basic = basicAuthorization(clientId, secret)
  wrongBasic = basicAuthorization(clientId, 'wrong')
})

async function send(path: string, headers: Record<string, string>, method = 'POST') {
  const response = await fetch(service.url + path, { method, headers })
  const text = await response.text()
  return [response.status, response.headers.get('content-type'), text.startsWith('{') ? JSON.parse(text).error : text]
}
const json = 'application/json; charset=utf-8'

describe.each(['token', 'par', 'device', 'introspect', 'revoke', 'userinfo'].map((name) => `/api/oauth/${name}`))('%s', (path) => {
  test('returns a client error as JSON to a client that accepts HTML', async () => {
    const unauthorized = path.endsWith('userinfo') ? [400, json, 'invalid_request'] : [401, json, 'invalid_client']
    for (const accept of accepts) {
      expect(await send(path, { accept, authorization: wrongBasic })).toEqual(unauthorized)
      expect(await send(`${path}?x=%00`, { accept, authorization: basic })).toEqual([400, json, 'invalid_request'])
    }
  })

  test('returns a server error as JSON to a client that accepts HTML', async () => {
    const authorization = path.endsWith('userinfo') ? `Bearer ${'A'.repeat(43)}` : basic
    for (const table of ['oauth_clients', 'oidc_models']) await pool.query(`ALTER TABLE ${table} RENAME TO away_${table}`)
    try {
      expect(await send(path, { accept: 'text/html', authorization })).toEqual([500, json, 'server_error'])
    } finally {
      for (const table of ['oauth_clients', 'oidc_models']) await pool.query(`ALTER TABLE away_${table} RENAME TO ${table}`)
    }
  })
})

test.each(['/login/oauth/authorize', '/login/oauth/logout?id_token_hint=x', '/login/device?x=%00'])(
  'GET %s returns an error page',
  async (path) => {
    const page = await new Browser(service.url).open(path)
    expect([page.status, page.root.querySelector('h1')?.text]).toEqual([400, 'We can’t process this request'])
  },
)

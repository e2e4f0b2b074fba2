import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { createClient } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

// What only programs ask has no page: their errors are JSON, whatever they say they accept (RFC 6749 §5.2).

const service = await startService()
const { pool } = service.database
const client = await createClient(service.database)

// The default of Java's HttpURLConnection, and a browser's.
const accepts = ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'text/html']
const basic = `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString('base64')}`
const wrong = `Basic ${Buffer.from(`${client.clientId}:wrong`).toString('base64')}`

async function ask(path: string, headers: Record<string, string>, method = 'POST') {
  const response = await fetch(service.url + path, { method, headers })
  const text = await response.text()
  return [response.status, response.headers.get('content-type'), text.startsWith('{') ? JSON.parse(text).error : text]
}
const json = 'application/json; charset=utf-8'

describe.each(['token', 'par', 'device', 'introspect', 'revoke', 'userinfo'].map((name) => `/api/oauth/${name}`))('%s', (path) => {
  test('tells a program what is wrong with its request', async () => {
    const unauthorized = path.endsWith('userinfo') ? [400, json, 'invalid_request'] : [401, json, 'invalid_client']
    for (const accept of accepts) {
      expect(await ask(path, { accept, authorization: wrong })).toEqual(unauthorized)
      expect(await ask(`${path}?x=%00`, { accept, authorization: basic })).toEqual([400, json, 'invalid_request'])
    }
  })

  test('tells a program that the service failed', async () => {
    const authorization = path.endsWith('userinfo') ? `Bearer ${'A'.repeat(43)}` : basic
    for (const table of ['oauth_clients', 'oauth_artifacts']) await pool.query(`ALTER TABLE ${table} RENAME TO away_${table}`)
    try {
      expect(await ask(path, { accept: 'text/html', authorization })).toEqual([500, json, 'server_error'])
    } finally {
      for (const table of ['oauth_clients', 'oauth_artifacts']) await pool.query(`ALTER TABLE away_${table} RENAME TO ${table}`)
    }
  })
})

test.each(['/login/oauth/authorize', '/login/oauth/logout?id_token_hint=x', '/login/device?x=%00'])(
  'who visits %s reads a page',
  async (path) => {
    const page = await new Browser(service.url).open(path)
    expect([page.status, page.root.querySelector('h1')?.text]).toEqual([400, 'This does not work'])
  },
)

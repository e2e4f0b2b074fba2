import { beforeAll, describe, expect, test } from 'vitest'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { authorizationUrl, refresh } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import type { Browser } from '../../support/browser/browser.ts'

// Renaming a table causes an error that no client input can cause.

const service = useService()
const { database } = service
let client: TestClient
let browser: Browser
let tokens: any
beforeAll(async () => {
  ;({ client, browser, tokens } = await connectClient(service))
})

/** Runs a function while a table is renamed, which makes each statement on it fail. */
async function withoutTable<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await database.pool.query(`ALTER TABLE ${table} RENAME TO away`)
  try {
    return await work()
  } finally {
    await database.pool.query(`ALTER TABLE away RENAME TO ${table}`)
  }
}

const internalDetails = /oauth_|relation|select|insert|42P01|postgres|node_modules|\.ts\b/i

describe('an internal error', () => {
  test.each(['oidc_models', 'oauth_grants', 'oauth_clients', 'token_responses'])(
    'on the table %s returns server_error without details to the client and logs the error with the request ID',
    async (table) => {
      service.logged.length = 0
      const { status, headers, body } = await withoutTable(table, () => refresh(service, client, tokens.refresh_token))
      expect([status, body, headers.get('retry-after')]).toEqual([
        500,
        { error: 'server_error', error_description: 'the service failed' },
        null,
      ])
      expect(service.logged.map(({ requestId }) => requestId)).toEqual([headers.get('x-request-id')])
      expect(service.logged[0]?.err?.message).toContain(table)
      expect(JSON.stringify(service.logged)).not.toContain(tokens.refresh_token)
      expect(JSON.stringify(service.logged)).not.toContain(client.secret)
    },
  )

  test('shows an error page to the user and keeps the session and the authorization request', async () => {
    const { url } = authorizationUrl(service, client, { prompt: 'consent' })
    const page = await withoutTable('oidc_models', () => browser.open(url))
    expect([page.status, page.url.origin, page.root.querySelector('h1')?.text]).toEqual([500, service.url, 'Something went wrong'])
    expect(page.text).not.toMatch(internalDetails)
    expect(page.headers.getSetCookie()).toEqual([])
    expect((await browser.open(url)).text).toContain('Allow access')
  })

  test('does not invalidate the refresh token of the failed request', async () => {
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test('returns server_error at the introspection, revocation, PAR, device authorization and token endpoints', async () => {
    const basic = basicAuthorization(client.clientId, client.secret)
    const paths = ['introspect', 'revoke', 'par', 'device', 'token'].map((name) => `/api/oauth/${name}`)
    const responses = await withoutTable('oauth_clients', () =>
      Promise.all(
        paths.map(async (path) => {
          const fields = new URLSearchParams({ token: tokens.access_token, grant_type: 'refresh_token', refresh_token: 'x' })
          const response = await fetch(service.url + path, { method: 'POST', headers: { authorization: basic }, body: fields })
          return [path, response.status, await response.json()]
        }),
      ),
    )
    expect(responses).toEqual(paths.map((path) => [path, 500, { error: 'server_error', error_description: 'the service failed' }]))
  })
})

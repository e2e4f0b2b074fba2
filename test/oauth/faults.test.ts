import { describe, expect, test } from 'vitest'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

// A database that answers and is not what it should be: the one fault that no request can bring about.

const service = await startService()
const { database } = service
const client = await createClient(database)
const { browser, ...given } = await authorize(service, client, await createPerson(database))
const { body: tokens } = await exchangeCode(service, client, given)

/** While this table has another name. */
async function without<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await database.pool.query(`ALTER TABLE ${table} RENAME TO away`)
  try {
    return await work()
  } finally {
    await database.pool.query(`ALTER TABLE away RENAME TO ${table}`)
  }
}

const shown = /oauth_|relation|select|insert|42P01|postgres|node_modules|\.ts\b/i

describe('a fault of the service', () => {
  test.each(['oauth_artifacts', 'oauth_grants', 'oauth_clients', 'oauth_answers'])(
    'in %s is told to a client without a word about it, and to the operator with the request’s id',
    async (table) => {
      service.logged.length = 0
      const { status, headers, body } = await without(table, () => refresh(service, client, tokens.refresh_token))
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

  test('is a page to a person, and takes neither their session nor what they were about to allow', async () => {
    const { url } = authorizationUrl(service, client, { prompt: 'consent' })
    const page = await without('oauth_artifacts', () => browser.open(url))
    expect([page.status, page.url.origin, page.root.querySelector('h1')?.text]).toEqual([500, service.url, 'Something went wrong'])
    expect(page.text).not.toMatch(shown)
    expect(page.headers.getSetCookie()).toEqual([])
    expect((await browser.open(url)).text).toContain('Allow access')
  })

  test('over, the same token goes on', async () => {
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test('of UserInfo, introspection, revocation, PAR and devices is alike', async () => {
    const basic = `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString('base64')}`
    const paths = ['introspect', 'revoke', 'par', 'device', 'token'].map((name) => `/api/oauth/${name}`)
    const answers = await without('oauth_clients', () =>
      Promise.all(
        paths.map(async (path) => {
          const fields = new URLSearchParams({ token: tokens.access_token, grant_type: 'refresh_token', refresh_token: 'x' })
          const answer = await fetch(service.url + path, { method: 'POST', headers: { authorization: basic }, body: fields })
          return [path, answer.status, await answer.json()]
        }),
      ),
    )
    expect(answers).toEqual(paths.map((path) => [path, 500, { error: 'server_error', error_description: 'the service failed' }]))
  })
})

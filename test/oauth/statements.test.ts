import { describe, expect, test } from 'vitest'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database, statements } = service

/** What a request asks of the database until it is answered: the first words of each statement. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  statements.length = 0
  await work()
  return statements.map((text) => text.trim().split(/\s+/).slice(0, 4).join(' ')).filter((text) => !text.startsWith('UPDATE oauth_answers'))
}

describe('with the service warm', () => {
  test('a token request reads twice and writes once, a request at the API asks once', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const authorized = await authorize(service, client, person)
    let tokens: any
    const once = ['SELECT c.id, c.client_id AS', "SELECT a.payload, encode(a.id_hash, 'hex')", 'WITH spent AS (']
    expect(await asked(async () => (tokens = (await exchangeCode(service, client, authorized)).body))).toEqual(once)
    expect(await asked(async () => (tokens = (await refresh(service, client, tokens.refresh_token)).body))).toEqual(once)
    expect((await asked(() => request(service, 'GET', '/api/v1/teams', { token: tokens.access_token }))).length).toBe(1)
    expect((await asked(() => post(service, '/api/oauth/introspect', client, { token: tokens.access_token }))).length).toBeLessThanOrEqual(
      3,
    )
  })
})

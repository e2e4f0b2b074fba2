import { describe, expect, test } from 'vitest'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, statements } = service

/**
 * The first words of each SQL statement that runs before the response. The confirmation of delivery and the time of last use, which
 * follow a response, are left out.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  statements.length = 0
  await work()
  return statements
    .filter((text) => !text.includes('last_used_at = u.at'))
    .map((text) => text.trim().split(/\s+/).slice(0, 4).join(' '))
    .filter((text) => !text.startsWith('UPDATE token_responses'))
}

describe('after the first requests', () => {
  test('a token request takes one read and one write, an API request and an introspection one statement', async () => {
    const user = await createPerson(database)
    const client = await createClient(database)
    const authorization = await authorize(service, client, user)
    let tokens: any
    const expected = ['SELECT c.id AS "id",', 'WITH consumed AS (']
    expect(await statementsOf(async () => (tokens = (await exchangeCode(service, client, authorization)).body))).toEqual(expected)
    expect(await statementsOf(async () => (tokens = (await refresh(service, client, tokens.refresh_token)).body))).toEqual(expected)
    expect((await statementsOf(() => request(service, 'GET', '/api/v1/teams', { token: tokens.access_token }))).length).toBe(1)
    const introspect = () => post(service, '/api/oauth/introspect', client, { token: tokens.access_token })
    expect((await statementsOf(introspect)).length).toBe(1)
  })
})

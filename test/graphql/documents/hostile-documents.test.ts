import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { hostileRequests } from '../../support/graphql/hostile-documents.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database))
})

interface Answer {
  errors?: { message: string; extensions: { code: string; request_id: string } }[]
  extensions: { cost: { limit: number } }
}
async function send(body: unknown) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const text = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body)
  const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: text })
  const answer: Answer = await response.json()
  return { status: response.status, requestId: response.headers.get('x-request-id'), answer, length: JSON.stringify(answer).length }
}

describe('a hostile request', () => {
  test.each(Object.entries(hostileRequests))('with %s is answered with few and short errors', async (_, { body, code }) => {
    const { status, requestId, answer, length } = await send(body)
    const { errors = [], extensions } = answer
    expect([status < 500, errors[0]?.extensions.code ?? 'none', extensions.cost.limit]).toEqual([true, code, 50_000])
    expect(errors.filter(({ message }) => message.length > 1_001 || message === '')).toEqual([])
    expect(errors.filter(({ extensions: { code: each, request_id } }) => request_id !== requestId || !/^[a-z_]+$/.test(each))).toEqual([])
    // Errors of validation are counted. Others have a place in the response, whose fields are limited.
    if (code === 'graphql_validation_failed') expect(errors.length).toBeLessThanOrEqual(21)
    expect(length).toBeLessThan(60_000)
  })

  test('does not keep the service from answering the next request', async () => {
    expect((await send({ query: '{ viewer { kind } }' })).answer).toMatchObject({ data: { viewer: { kind: 'PERSONAL_TOKEN' } } })
  })
})

describe('variables', () => {
  const many = (length: number) => Array.from({ length }, () => ({}))
  test.each([
    ['a query', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: many(20_000) }, 'application/json'],
    ['a subscription', 'subscription ($a: String!) { teamEvents(team: $a) { action } }', { a: many(20_000) }, 'text/event-stream'],
  ])('of %s with thousands of errors return the first one', async (_, query, variables, accept) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: accept }
    const body = JSON.stringify({ query, variables })
    const answer: Answer = await (await fetch(`${service.url}/graphql`, { method: 'POST', headers, body })).json()
    expect(answer.errors).toEqual([
      expect.objectContaining({
        extensions: { code: 'bad_user_input', request_id: expect.any(String) },
        message: expect.stringMatching(/^Variable/),
      }),
    ])
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let team: Team
let token: string
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(service.database))
})
async function send(body: unknown) {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, requestId: response.headers.get('x-request-id'), body: await response.json() }
}

describe('the request limit', () => {
  const limited = useService({ rateLimitApi: 20 })
  const post = async (credential: string, operations: number) => {
    const query = { query: '{ viewer { kind } }' }
    const response = await fetch(`${limited.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(operations === 0 ? query : Array.from({ length: operations }, () => query)),
    })
    const { headers, status } = response
    return {
      status,
      remaining: Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
      retryAfter: headers.get('retry-after'),
      body: await response.json(),
    }
  }

  test('counts each operation of a batch, and refuses as a whole a batch that exceeds what is left', async () => {
    const { token: credential } = await createOwnedTeam(limited.database)
    expect(await post(credential, 8)).toMatchObject({ status: 200, remaining: 12 })
    expect(await post(credential, 0)).toMatchObject({ status: 200, remaining: 11 })
    expect(await post(credential, 1)).toMatchObject({ status: 200, remaining: 10 })
    expect(await post(credential, 7)).toMatchObject({ status: 200, remaining: 3 })
    const refused = await post(credential, 4)
    expect(refused).toMatchObject({
      status: 429,
      remaining: 3,
      retryAfter: expect.stringMatching(/^[1-5]?\d$|^60$/),
      body: { errors: [{ message: 'Too Many Attempts.', extensions: { code: 'rate_limited' } }] },
    })
    expect(await post(credential, 3)).toMatchObject({ status: 200, remaining: 0 })
    expect(await post(credential, 0)).toMatchObject({ status: 429, remaining: 0 })
  })

  test('serves no more operations than the quota to concurrent batches', async () => {
    const { token: credential } = await createOwnedTeam(limited.database)
    const responses = await Promise.all(Array.from({ length: 6 }, () => post(credential, 6)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429])
    expect((await post(credential, 2)).status).toBe(200)
  })
})

describe('a batch of GraphQL operations', () => {
  test('returns a result for each operation, in the order of the request', async () => {
    const { status, requestId, body } = await send([
      { query: 'query ($slug: String!) { team(slug: $slug) { slug } }', variables: { slug: team.slug } },
      { query: '{ team(slug: "unknown") { slug } }' },
      { query: '{ nothing }' },
      { query: '{ viewer { kind } }' },
    ])
    expect([status, body]).toEqual([
      200,
      [
        { data: { team: { slug: team.slug } }, extensions: { cost: expect.any(Object) } },
        expect.objectContaining({
          data: { team: null },
          errors: [expect.objectContaining({ extensions: { code: 'team_forbidden', request_id: requestId } })],
        }),
        {
          errors: [expect.objectContaining({ extensions: { code: 'graphql_validation_failed', request_id: requestId } })],
          extensions: { cost: expect.objectContaining({ requested: 0 }) },
        },
        { data: { viewer: { kind: 'PERSONAL_TOKEN' } }, extensions: { cost: expect.any(Object) } },
      ],
    ])
  })

  test('executes the operations beside a refused mutation, whose payload has the typed error', async () => {
    const rename = (name: string) => ({
      query: `mutation ($slug: String!, $name: String!) { updateTeam(input: { team: $slug, name: $name }) {
        team { name } errors { __typename code errors { field } } } }`,
      variables: { slug: team.slug, name },
    })
    const readName = { query: 'query ($slug: String!) { team(slug: $slug) { name } }', variables: { slug: team.slug } }
    const refusedMember = {
      query: `mutation { removeMember(input: { team: "${team.slug}", userId: "00000000-0000-4000-8000-000000000000" }) { member { name } errors { __typename code } } }`,
    }
    const { status, body } = await send([rename('First'), rename(' '), refusedMember, readName])
    const data = body.map(({ data: result, errors }: any) => result ?? errors)
    expect([status, body.flatMap(({ errors = [] }: any) => errors)]).toEqual([200, []])
    expect(data[0]).toEqual({ updateTeam: { team: { name: 'First' }, errors: [] } })
    expect(data[1]).toEqual({
      updateTeam: { team: null, errors: [{ __typename: 'ValidationError', code: 'validation_failed', errors: [{ field: 'name' }] }] },
    })
    expect(data[2]).toEqual({ removeMember: { member: null, errors: [{ __typename: 'NotFoundError', code: 'not_found' }] } })
    expect(data[3]).toEqual({ team: { name: expect.any(String) } })
    expect((await service.database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe('First')
  })

  test('shares one budget: the operations that exceed it are refused with their cost', async () => {
    const costly = {
      query: `{ team(slug: "${team.slug}") { members(perPage: 100) { nodes { ${Array.from({ length: 200 }, (_, i) => `a${i}: name`).join(' ')} } } } }`,
    }
    const { body } = await send([costly, costly, costly])
    const costs = body.map(({ extensions, errors }: any) => extensions?.cost ?? errors[0].extensions.cost)
    expect(body.map(({ errors }: any) => errors?.[0].extensions.code)).toEqual([undefined, undefined, 'query_too_costly'])
    const [{ requested, limit }] = costs
    expect(costs.map(({ remaining }: { remaining: number }) => remaining)).toEqual([
      limit - requested,
      limit - 2 * requested,
      limit - 2 * requested,
    ])
  })

  test('counts as one request and reports an error of the service without details', async () => {
    const { database } = service
    await database.pool.query('ALTER TABLE connected_apps RENAME TO connected_apps_away')
    try {
      const { body, requestId } = await send([
        { query: `{ team(slug: "${team.slug}") { apps { total } } }` },
        { query: '{ viewer { kind } }' },
      ])
      expect(body[0].errors).toEqual([
        expect.objectContaining({ message: 'Server Error', extensions: { code: 'server_error', request_id: requestId } }),
      ])
      expect(body[1].data).toEqual({ viewer: { kind: 'PERSONAL_TOKEN' } })
    } finally {
      await database.pool.query('ALTER TABLE connected_apps_away RENAME TO connected_apps')
    }
  })

  test.each([
    ['no operation', []],
    ['more than ten', Array.from({ length: 11 }, () => ({ query: '{ viewer { kind } }' }))],
    ['something else than operations', [5]],
    ['an operation without a query', [{}]],
    ['a batch', [[{ query: '{ viewer { kind } }' }]]],
  ])('of %s returns 400', async (_, body) => {
    const { status, body: refusal } = await send(body)
    expect([status, refusal.errors[0].extensions.code]).toEqual([400, 'bad_request'])
  })
})

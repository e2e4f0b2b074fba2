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

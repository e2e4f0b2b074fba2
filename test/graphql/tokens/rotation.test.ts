import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

const rotate =
  'mutation ($id: ID!, $overlap: Int, $key: ID) { rotateToken(input: { id: $id, overlapSeconds: $overlap, idempotencyKey: $key }) { value token { ... on TeamToken { id: tokenId hint } ... on PersonalToken { id: tokenId hint } } } }'
const revoke = 'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { __typename } } }'

/** The statuses of a value at REST and GraphQL. */
const statusesOf = async (value: string) => [
  (await request(service, 'GET', '/api/v1/user', { token: value })).status,
  (await graphql(service, value, '{ viewer { kind } }')).status,
]
const [works, refused] = [
  [200, 200],
  [401, 401],
]

/** An owner's session, and a token of their team or of themselves. */
async function withToken(kind: 'team' | 'personal' = 'team', expiresAt?: Date) {
  const { team, owner, token: ownerToken } = await createOwnedTeam(database)
  const options = expiresAt && { expiresAt }
  const value = kind === 'team' ? await teamToken(database, team, options) : await personalToken(database, owner, options)
  const { id } = await prisma.accessToken.findFirstOrThrow({
    where: { lastFour: value.slice(-4), OR: [{ teamId: team.id }, { userId: owner.id }] },
  })
  const session = await sessionOf(service, owner)
  const rotateBy = async (overlap: number, key?: string) => executeAs(service, session, rotate, { id, overlap, key })
  return { team, owner, ownerToken, value, id, session, rotateBy }
}

describe('a rotated token', () => {
  test.each(['team', 'personal'] as const)('of kind %s is refused with both values at once after its revocation', async (kind) => {
    const { value, id, session, rotateBy } = await withToken(kind)
    const fresh = (await rotateBy(604_800)).data.rotateToken.value
    expect([await statusesOf(value), await statusesOf(fresh)]).toEqual([works, works])
    await executeAs(service, session, revoke, { id })
    expect([await statusesOf(value), await statusesOf(fresh)]).toEqual([refused, refused])
  })

  test('is refused with both values after the operator revoked it, and cannot be rotated', async () => {
    const { value, id, rotateBy } = await withToken()
    const fresh = (await rotateBy(3600)).data.rotateToken.value
    await executeAs(service, operator, revoke, { id })
    expect([await statusesOf(value), await statusesOf(fresh)]).toEqual([refused, refused])
    expect((await rotateBy(3600)).refusal?.code).toBe('not_found')
  })

  test('is one token in every list, with its old value until that stops working', async () => {
    const { team, owner, ownerToken, value, id, rotateBy } = await withToken()
    const [hint, previousHint] = [`tat_…${(await rotateBy(3600)).data.rotateToken.value.slice(-4)}`, `tat_…${value.slice(-4)}`]
    const { previousExpiresAt } = await prisma.accessToken.findUniqueOrThrow({ where: { id } })
    const previous = previousExpiresAt?.toISOString()
    const listed = async () => {
      const document = `{ team(slug: "${team.slug}") { tokens { total nodes { id: tokenId hint previousValue { hint expiresAt } } } } }`
      return (await graphql(service, ownerToken, document)).data.team.tokens
    }
    const path = `/api/v1/teams/${team.slug}/tokens`
    const fromRest = async (suffix: string) => (await request(service, 'GET', path + suffix, { token: ownerToken })).body
    expect(await listed()).toEqual({ total: 1, nodes: [{ id, hint, previousValue: { hint: previousHint, expiresAt: previous } }] })
    expect((await fromRest('')).data).toEqual([expect.not.objectContaining({ previous_value: expect.anything() })])
    const expanded = { id, hint, previous_value: { hint: previousHint, expires_at: previous } }
    expect((await fromRest('?expand[]=previous_value')).data).toMatchObject([expanded])
    expect(await fromRest(`/${id}?expand[]=previous_value`)).toMatchObject(expanded)
    service.clock.advance(3_600_000)
    expect(await listed()).toEqual({ total: 1, nodes: [{ id, hint, previousValue: null }] })
    expect(await fromRest(`/${id}?expand[]=previous_value`)).toMatchObject({ id, hint, previous_value: null })
    expect(await prisma.accessToken.count({ where: { OR: [{ teamId: team.id }, { userId: owner.id }] } })).toBe(2)
  })

  test('has two values at most: another rotation ends the older one at once', async () => {
    const { value, rotateBy } = await withToken()
    const second = (await rotateBy(604_800)).data.rotateToken.value
    const third = (await rotateBy(3600)).data.rotateToken.value
    expect([await statusesOf(value), await statusesOf(second), await statusesOf(third)]).toEqual([refused, works, works])
    const fourth = (await rotateBy(0)).data.rotateToken.value
    expect([await statusesOf(second), await statusesOf(third), await statusesOf(fourth)]).toEqual([refused, refused, works])
  })

  test('never works beyond its expiry, with the old value either', async () => {
    const { value, rotateBy } = await withToken('personal', new Date(service.clock.now().getTime() + 60_000))
    const fresh = (await rotateBy(3600)).data.rotateToken.value
    service.clock.advance(60_000)
    expect([await statusesOf(value), await statusesOf(fresh)]).toEqual([refused, refused])
    expect((await rotateBy(3600)).refusal?.code).toBe('not_found')
  })

  test('receives one new value from a form that is sent several times', async () => {
    const { value, rotateBy } = await withToken()
    const key = randomUUID()
    const outcomes = [...(await Promise.all(Array.from({ length: 8 }, () => rotateBy(3600, key)))), await rotateBy(3600, key)]
    const fresh = outcomes.flatMap(({ data }) => data?.rotateToken?.value ?? [])
    const messages = outcomes.flatMap(({ refusal }) => refusal?.details.errors?.['idempotencyKey'] ?? [])
    const message = 'The token was already rotated, and its new value is not shown again.'
    expect([fresh.length, messages]).toEqual([1, Array(8).fill(message)])
    expect([await statusesOf(value), await statusesOf(fresh[0])]).toEqual([works, works])
  })

  test('has the newest value and the one before after concurrent rotations, and no other', async () => {
    const { team, value, rotateBy } = await withToken()
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => rotateBy(3600)))
    expect(new Set(outcomes.map(({ refusal }) => refusal?.code))).toEqual(new Set([undefined, 'not_found']))
    const values = [value, ...outcomes.flatMap(({ data }) => data?.rotateToken?.value ?? [])]
    const statuses = await Promise.all(values.map(async (each) => (await statusesOf(each))[0]))
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(await prisma.accessToken.count({ where: { teamId: team.id } })).toBe(1)
  })
})

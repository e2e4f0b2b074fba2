import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const id = '00000000-0000-4000-8000-000000000000'
const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString()

describe('access tokens', () => {
  const createTeamToken =
    'mutation ($team: String!, $scopes: [String!]!, $at: DateTime) { createTeamToken(input: { team: $team, name: "CI", scopes: $scopes, expiresAt: $at }) { value token { id: tokenId hint createdBy { id: userId } } } }'
  const createPersonalToken =
    'mutation ($scopes: [String!]!, $at: DateTime!) { createPersonalToken(input: { name: "Laptop", scopes: $scopes, expiresAt: $at }) { value token { id: tokenId } } }'
  const rotate =
    'mutation ($id: ID!, $overlap: Int) { rotateToken(input: { id: $id, overlapSeconds: $overlap }) { value token { ... on TeamToken { id: tokenId } ... on PersonalToken { id: tokenId } } } }'
  const revoke =
    'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { ... on TeamToken { revokedAt } ... on PersonalToken { revokedAt } } } }'
  const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status

  test('created in an owner’s session have their scopes until they are revoked', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, createTeamToken, { team: team.slug, scopes: ['acct:team:read', 'acct:team:read'] })
    const { value, token } = data.createTeamToken
    expect(token).toEqual({ id: expect.any(String), hint: `tat_…${value.slice(-4)}`, createdBy: { id: owner.id } })
    expect((await request(service, 'GET', '/api/v1/user', { token: value })).body.scopes).toEqual(['acct:team:read'])
    expect((await executeAs(service, session, revoke, { id: token.id })).refusal).toBeNull()
    expect(await statusOf(value)).toBe(401)
  })

  test('keep the old value valid after a rotation until the end of the overlap', async () => {
    const owner = await createUser(database)
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, createPersonalToken, { scopes: ['teams'], at: inDays(30) })
    const { value, token } = data.createPersonalToken
    const rotated = (await executeAs(service, session, rotate, { id: token.id, overlap: 3600 })).data.rotateToken
    expect([await statusOf(value), await statusOf(rotated.value)]).toEqual([200, 200])
    service.clock.advance(3_600_000)
    expect([await statusOf(value), await statusOf(rotated.value)]).toEqual([401, 200])
    const later = { ...session, authenticatedAt: service.clock.now() }
    const again = (await executeAs(service, later, rotate, { id: rotated.token.id })).data.rotateToken
    expect([await statusOf(rotated.value), await statusOf(again.value)]).toEqual([401, 200])
    expect([rotated.token.id, again.token.id]).toEqual([token.id, token.id])
  })

  test('cannot be created or rotated 15 minutes after sign-in, but can be revoked', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const { value, token } = (await executeAs(service, session, createPersonalToken, { scopes: ['teams'], at: inDays(30) })).data
      .createPersonalToken
    const staleSession = { ...session, authenticatedAt: new Date(service.clock.now().getTime() - 15 * 60_000 - 1) }
    const refusals = await Promise.all([
      executeAs(service, staleSession, createPersonalToken, { scopes: ['teams'], at: inDays(30) }),
      executeAs(service, staleSession, createTeamToken, { team: team.slug, scopes: ['teams'] }),
      executeAs(service, staleSession, rotate, { id: token.id }),
    ])
    expect(refusals.map(({ refusal }) => refusal?.code)).toEqual(Array(3).fill('recent_sign_in_required'))
    expect([await database.prisma.accessToken.count({ where: { createdById: owner.id } }), await statusOf(value)]).toEqual([1, 200])
    expect((await executeAs(service, staleSession, revoke, { id: token.id })).refusal).toBeNull()
    expect(await statusOf(value)).toBe(401)
  })

  test('are created only once per idempotency key, also by concurrent requests', async () => {
    const { owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const keyed = (document: string) =>
      document.replace('expiresAt: $at', 'expiresAt: $at, idempotencyKey: $key').replace('($', '($key: ID, $')
    const key = randomUUID()
    const first = { scopes: ['teams'], at: inDays(30), key }
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => executeAs(service, session, keyed(createPersonalToken), first)))
    const created = outcomes.filter(({ refusal }) => refusal === null)
    expect(created).toHaveLength(1)
    const message = 'The token was already created, and its value is not shown again.'
    const again = outcomes.filter(({ refusal }) => refusal !== null)
    expect(again.map(({ refusal }) => refusal?.details.errors)).toEqual(again.map(() => ({ idempotencyKey: [message] })))
    expect(await statusOf(created[0]?.data.createPersonalToken.value)).toBe(200)
    for (const wrong of ['x', '', '\0', key.toUpperCase()]) {
      const { refusal } = await executeAs(service, session, keyed(createPersonalToken), { ...first, key: wrong })
      expect(Object.keys(refusal?.details.errors ?? {})).toEqual(['idempotencyKey'])
    }
    expect(await database.prisma.accessToken.count({ where: { createdById: owner.id } })).toBe(1)
  })

  test('can be filtered to active ones, and the user’s own tokens can be read one by one', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const ids = []
    for (const at of [null, inDays(1), inDays(1)]) {
      service.clock.advance(1000)
      const { data } = await executeAs(service, session, createTeamToken, { team: team.slug, scopes: ['teams'], at })
      ids.push(data.createTeamToken.token.id)
    }
    await executeAs(service, session, revoke, { id: ids[1] })
    const listed = async (live: string) => {
      const { data } = await executeAs(service, session, `{ team(slug: "${team.slug}") { tokens${live} { nodes { id: tokenId } total } } }`)
      return data.team.tokens
    }
    expect(await listed('')).toEqual({ nodes: ids.toReversed().map((id) => ({ id })), total: 3 })
    expect(await listed('(live: true)')).toEqual({ nodes: [{ id: ids[2] }, { id: ids[0] }], total: 2 })
    const own = 'query ($id: ID!) { viewer { token(id: $id) { name } } }'
    const { data } = await executeAs(service, session, createPersonalToken, { scopes: ['teams'], at: inDays(1) })
    const { id } = data.createPersonalToken.token
    expect((await executeAs(service, session, own, { id })).data.viewer.token).toEqual({ name: 'Laptop' })
    const otherSession = await sessionOf(service, await createUser(database))
    for (const [principal, each] of [
      [otherSession, id],
      [session, ids[0]],
      [session, 'x'],
      [session, '\0'],
    ] as const)
      expect((await executeAs(service, principal, own, { id: each })).refusal?.code).toBe('not_found')
  })

  test('of other users and teams are not found', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const ofTeam = (await executeAs(service, session, createTeamToken, { team: team.slug, scopes: ['teams'] })).data.createTeamToken.token
      .id
    const ofOwner = (await executeAs(service, session, createPersonalToken, { scopes: ['teams'], at: inDays(1) })).data.createPersonalToken
      .token.id
    const otherSession = await sessionOf(service, (await createOwnedTeam(database)).owner)
    for (const each of [ofTeam, ofOwner, id, 'x', '\0'])
      for (const document of [rotate, revoke])
        expect((await executeAs(service, otherSession, document, { id: each })).refusal?.code).toBe('not_found')
    const member = await createUser(database)
    await join(database, team, member, 'member')
    expect((await executeAs(service, await sessionOf(service, member), revoke, { id: ofTeam })).refusal?.code).toBe('role_required')
  })

  test('can be created for another user only by the operator', async () => {
    const user = await createUser(database)
    const other = await createUser(database)
    const document = createPersonalToken.replace('expiresAt: $at', `expiresAt: $at, user: "${user.email}"`)
    const variables = { scopes: ['teams'], at: inDays(1) }
    expect((await executeAs(service, await sessionOf(service, other), document, variables)).refusal?.code).toBe('role_required')
    const { data } = await executeAs(service, operator, document, variables)
    expect((await request(service, 'GET', '/api/v1/user', { token: data.createPersonalToken.value })).body.id).toBe(user.id)
    const { refusal } = await executeAs(service, operator, document.replace(user.email, 'unknown@example.test'), variables)
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { user: ['The selected user is invalid.'] }])
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join } from '../support/team.ts'

const service = await startService()
const { database } = service
const id = '00000000-0000-4000-8000-000000000000'
const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString()

describe('tokens', () => {
  const createFor =
    'mutation ($team: String!, $scopes: [String!]!, $at: DateTime) { createTeamToken(input: { team: $team, name: "CI", scopes: $scopes, expiresAt: $at }) { value token { id hint createdBy { id } } } }'
  const createOwn =
    'mutation ($scopes: [String!]!, $at: DateTime!) { createPersonalToken(input: { name: "Laptop", scopes: $scopes, expiresAt: $at }) { value token { id } } }'
  const rotate =
    'mutation ($id: ID!, $overlap: Int) { rotateToken(input: { id: $id, overlapSeconds: $overlap }) { value token { ... on TeamToken { id } ... on PersonalToken { id } } } }'
  const revoke =
    'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { ... on TeamToken { revokedAt } ... on PersonalToken { revokedAt } } } }'
  const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status

  test('created by an owner’s session open what they carry, until they are revoked', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, createFor, { team: team.slug, scopes: ['acct:team:read', 'acct:team:read'] })
    const { value, token } = data.createTeamToken
    expect(token).toEqual({ id: expect.any(String), hint: `tat_…${value.slice(-4)}`, createdBy: { id: owner.id } })
    expect((await request(service, 'GET', '/api/v1/user', { token: value })).body.scopes).toEqual(['acct:team:read'])
    expect((await executeAs(service, session, revoke, { id: token.id })).refusal).toBeNull()
    expect(await statusOf(value)).toBe(401)
  })

  test('rotated keep the old value for the overlap, and no longer', async () => {
    const owner = await createUser(database)
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, createOwn, { scopes: ['teams'], at: inDays(30) })
    const { value, token } = data.createPersonalToken
    const rotated = (await executeAs(service, session, rotate, { id: token.id, overlap: 3600 })).data.rotateToken
    expect([await statusOf(value), await statusOf(rotated.value)]).toEqual([200, 200])
    service.clock.advance(3_600_000)
    expect([await statusOf(value), await statusOf(rotated.value)]).toEqual([401, 200])
    const later = { ...session, authenticatedAt: service.clock.now() }
    const again = (await executeAs(service, later, rotate, { id: rotated.token.id })).data.rotateToken
    expect([await statusOf(rotated.value), await statusOf(again.value)]).toEqual([401, 200])
    expect((await executeAs(service, later, rotate, { id: rotated.token.id })).refusal?.code).toBe('not_found')
  })

  test.each([
    [createOwn, { scopes: ['teams'], at: () => inDays(-1) }, { expiresAt: ['The expires at field must be a date in the future.'] }],
    [createOwn, { scopes: ['teams'], at: () => inDays(367) }, { expiresAt: ['The expires at field must be a date within a year.'] }],
    [createOwn, { scopes: ['nope'], at: () => inDays(1) }, { 'scopes.0': ['The selected scopes.0 is invalid.'] }],
    [createOwn, { scopes: ['openid'], at: () => inDays(1) }, { 'scopes.0': ['The selected scopes.0 is invalid.'] }],
    [createOwn, { scopes: [], at: () => inDays(1) }, { scopes: ['The scopes field must have at least 1 items.'] }],
  ])('%s with %j are refused', async (document, { scopes, at }, errors) => {
    const session = await sessionOf(service, await createUser(database))
    const { refusal } = await executeAs(service, session, document, { scopes, at: at() })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
  })

  test('are made by nobody whose sign-in is a while ago, and revoked all the same', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const { value, token } = (await executeAs(service, session, createOwn, { scopes: ['teams'], at: inDays(30) })).data.createPersonalToken
    const old = { ...session, authenticatedAt: new Date(service.clock.now().getTime() - 15 * 60_000 - 1) }
    const refusals = await Promise.all([
      executeAs(service, old, createOwn, { scopes: ['teams'], at: inDays(30) }),
      executeAs(service, old, createFor, { team: team.slug, scopes: ['teams'] }),
      executeAs(service, old, rotate, { id: token.id }),
    ])
    expect(refusals.map(({ refusal }) => refusal?.code)).toEqual(Array(3).fill('recent_sign_in_required'))
    expect([await database.prisma.accessToken.count({ where: { createdById: owner.id } }), await statusOf(value)]).toEqual([1, 200])
    expect((await executeAs(service, old, revoke, { id: token.id })).refusal).toBeNull()
    expect(await statusOf(value)).toBe(401)
  })

  test('asked for again with the key of the first time are refused, many at once too', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const keyed = (document: string) =>
      document.replace('expiresAt: $at', 'expiresAt: $at, idempotencyKey: $key').replace('($', '($key: ID, $')
    const rotateKeyed = rotate.replace('id: $id', 'id: $id, idempotencyKey: $key').replace('($', '($key: ID, $')
    const key = randomUUID()
    const first = { scopes: ['teams'], at: inDays(30), key }
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => executeAs(service, session, keyed(createOwn), first)))
    const made = outcomes.filter(({ refusal }) => refusal === null)
    expect(made.map(({ data }) => data.createPersonalToken.token.id)).toEqual([key])
    const message = 'This was sent before: the token exists already, and its value is not shown again.'
    const again = [
      ...outcomes.filter(({ refusal }) => refusal !== null),
      await executeAs(service, session, keyed(createFor), { ...first, team: team.slug }),
      await executeAs(service, session, rotateKeyed, { id: key, key, overlap: 3600 }),
    ]
    expect(again.map(({ refusal }) => refusal?.details.errors)).toEqual(again.map(() => ({ idempotencyKey: [message] })))
    expect(await statusOf(made[0]?.data.createPersonalToken.value)).toBe(200)
    const rotated = await executeAs(service, session, rotateKeyed, { id: key, key: randomUUID(), overlap: 3600 })
    expect(await statusOf(rotated.data.rotateToken.value)).toBe(200)
    for (const wrong of ['x', '', '\0', key.toUpperCase()]) {
      const { refusal } = await executeAs(service, session, keyed(createOwn), { ...first, key: wrong })
      expect(Object.keys(refusal?.details.errors ?? {})).toEqual(['idempotencyKey'])
    }
    expect(await database.prisma.accessToken.count({ where: { createdById: owner.id } })).toBe(2)
  })

  test('that work are told apart from those that do not, and one’s own are shown one by one', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const ids = []
    for (const at of [null, inDays(1), inDays(1)]) {
      service.clock.advance(1000)
      const { data } = await executeAs(service, session, createFor, { team: team.slug, scopes: ['teams'], at })
      ids.push(data.createTeamToken.token.id)
    }
    await executeAs(service, session, revoke, { id: ids[1] })
    const listed = async (live: string) => {
      const { data } = await executeAs(service, session, `{ team(slug: "${team.slug}") { tokens${live} { nodes { id } total } } }`)
      return data.team.tokens
    }
    expect(await listed('')).toEqual({ nodes: ids.toReversed().map((id) => ({ id })), total: 3 })
    expect(await listed('(live: true)')).toEqual({ nodes: [{ id: ids[2] }, { id: ids[0] }], total: 2 })
    const own = 'query ($id: ID!) { viewer { token(id: $id) { name } } }'
    const { data } = await executeAs(service, session, createOwn, { scopes: ['teams'], at: inDays(1) })
    const { id } = data.createPersonalToken.token
    expect((await executeAs(service, session, own, { id })).data.viewer.token).toEqual({ name: 'Laptop' })
    const stranger = await sessionOf(service, await createUser(database))
    for (const [as, each] of [
      [stranger, id],
      [session, ids[0]],
      [session, 'x'],
      [session, '\0'],
    ] as const)
      expect((await executeAs(service, as, own, { id: each })).refusal?.code).toBe('not_found')
  })

  test.each([
    ['that ends with the rotation', 30, 0],
    ['that works on for the overlap', 30, 3600],
    ['that ends within the overlap', 30 / 1440, 3600],
  ])('%s, rotated by many at once or once more later, get one successor', async (_, days, overlap) => {
    const owner = await createUser(database)
    const session = await sessionOf(service, owner)
    const { token } = (await executeAs(service, session, createOwn, { scopes: ['teams'], at: inDays(days) })).data.createPersonalToken
    const again = () => executeAs(service, session, rotate, { id: token.id, overlap })
    const outcomes = await Promise.all(Array.from({ length: 20 }, again))
    expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
    expect((await again()).refusal?.code).toBe('not_found')
    expect(await database.prisma.accessToken.count({ where: { userId: owner.id } })).toBe(2)
  })

  test('of others cannot be touched, nor told from none', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const ofTeam = (await executeAs(service, session, createFor, { team: team.slug, scopes: ['teams'] })).data.createTeamToken.token.id
    const ofOwner = (await executeAs(service, session, createOwn, { scopes: ['teams'], at: inDays(1) })).data.createPersonalToken.token.id
    const stranger = await sessionOf(service, (await createOwnedTeam(database)).owner)
    for (const each of [ofTeam, ofOwner, id, 'x', '\0'])
      for (const document of [rotate, revoke])
        expect((await executeAs(service, stranger, document, { id: each })).refusal?.code).toBe('not_found')
    const member = await createUser(database)
    await join(database, team, member, 'member')
    expect((await executeAs(service, await sessionOf(service, member), revoke, { id: ofTeam })).refusal?.code).toBe('role_required')
  })

  test('a session creates for nobody else, the operator for whom they name', async () => {
    const person = await createUser(database)
    const other = await createUser(database)
    const document = createOwn.replace('expiresAt: $at', `expiresAt: $at, user: "${person.email}"`)
    const variables = { scopes: ['teams'], at: inDays(1) }
    expect((await executeAs(service, await sessionOf(service, other), document, variables)).refusal?.code).toBe('role_required')
    const { data } = await executeAs(service, operator, document, variables)
    expect((await request(service, 'GET', '/api/v1/user', { token: data.createPersonalToken.value })).body.id).toBe(person.id)
    const { refusal } = await executeAs(service, operator, document.replace(person.email, 'nobody@example.test'), variables)
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { user: ['The selected user is invalid.'] }])
  })
})

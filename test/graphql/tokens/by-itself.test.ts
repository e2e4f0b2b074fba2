import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { request } from '../../support/http/request.ts'
import { mutate } from '../../support/http/mutate.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

// docs/decisions/tokens.md#by-a-token. Every token may rotate and revoke itself, without a scope.

const service = useService()
const { database } = service
const { prisma } = database

const rotation =
  'mutation ($id: ID!, $overlap: Int, $key: ID) { rotateToken(input: { id: $id, overlapSeconds: $overlap, idempotencyKey: $key }) { value token { ... on TeamToken { id name hint } ... on PersonalToken { id name hint } } } }'
const revocation = 'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { __typename } } }'
const inAnHour = () => new Date(service.clock.now().getTime() + 3_600_000)

const tokens = {
  'a team token': async () => teamToken(database, (await createOwnedTeam(database)).team, { scopes: [] }),
  'a team token that expires': async () =>
    teamToken(database, (await createOwnedTeam(database)).team, { scopes: ['acct:team:read'], expiresAt: inAnHour() }),
  'a personal token': async () => personalToken(database, await createUser(database), { scopes: ['acct:team:read'] }),
  'a personal token of a member': async () => {
    const member = await createUser(database)
    await join(database, (await createOwnedTeam(database)).team, member, 'member')
    return personalToken(database, member, { scopes: ['acct:team:read'] })
  },
  'a personal token for one team': async () => {
    const { owner, team } = await createOwnedTeam(database)
    const value = await personalToken(database, owner, { scopes: ['acct:team:read'] })
    await prisma.accessToken.update({ where: { hash: sha256(value) }, data: { teamIds: [team.id] } })
    return value
  },
  'a personal token with a scope of staff, whose user has left it': async () =>
    personalToken(database, await createUser(database), { scopes: ['acct:staff:read'] }),
}
const idOf = async (value: string) => (await prisma.accessToken.findUniqueOrThrow({ where: { hash: sha256(value) } })).id
const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status

describe.each(Object.entries(tokens))('%s', (_, create) => {
  test('rotates itself by its identifier and by its global id; its old value works for the overlap alone', async () => {
    const value = await create()
    const id = await idOf(value)
    const { data, refusal } = await mutate(service, value, rotation, { id, overlap: 3600 })
    expect([refusal, data.rotateToken.token.name]).toEqual([null, 'test'])
    const fresh: string = data.rotateToken.value
    expect([await statusOf(value), await statusOf(fresh)]).toEqual([200, 200])
    expect((await mutate(service, fresh, rotation, { id: data.rotateToken.token.id, overlap: 0 })).refusal).toBeNull()
    expect([await statusOf(value), await statusOf(fresh)]).toEqual([401, 401])
  })

  test('reads its identifier and revokes itself', async () => {
    const value = await create()
    const id: string = (await mutate(service, value, '{ viewer { tokenId } }')).data.viewer.tokenId
    expect(id).toBe(await idOf(value))
    expect((await mutate(service, value, revocation, { id })).refusal).toBeNull()
    expect(await statusOf(value)).toBe(401)
  })
})

describe('the old value of a token that was rotated', () => {
  test.each(['a team token', 'a personal token'] as const)(
    'of %s cannot rotate it again, which would prolong its own life',
    async (kind) => {
      const old = await tokens[kind]()
      const id = await idOf(old)
      const fresh: string = (await mutate(service, old, rotation, { id, overlap: 3600 })).data.rotateToken.value
      expect((await mutate(service, old, rotation, { id, overlap: 3600 })).refusal?.code).toBe('session_required')
      expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200])
      expect((await request(service, 'GET', '/api/v1/user', { token: old })).body.expires_at).toBe(
        (await prisma.accessToken.findUniqueOrThrow({ where: { id } })).previousExpiresAt?.toISOString(),
      )
    },
  )

  test('can revoke it with both values', async () => {
    const old = await tokens['a team token']()
    const id = await idOf(old)
    const fresh: string = (await mutate(service, old, rotation, { id, overlap: 3600 })).data.rotateToken.value
    expect((await mutate(service, old, revocation, { id })).refusal).toBeNull()
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 401])
  })
})

test('a repeated rotation with the same idempotency key is refused, and the value of the first one works', async () => {
  const value = await tokens['a team token']()
  const variables = { id: await idOf(value), overlap: 3600, key: randomUUID() }
  const first = await mutate(service, value, rotation, variables)
  const second = await mutate(service, first.data.rotateToken.value, rotation, variables)
  expect(second.refusal?.errors).toEqual({ idempotencyKey: [expect.stringContaining('already rotated')] })
  expect(await statusOf(first.data.rotateToken.value)).toBe(200)
})

test('of ten rotations of a token by itself at once, with one idempotency key, one succeeds', async () => {
  const value = await tokens['a team token']()
  const [id, key] = [await idOf(value), randomUUID()]
  const results = await Promise.all(Array.from({ length: 10 }, () => mutate(service, value, rotation, { id, overlap: 3600, key })))
  const values = results.flatMap(({ data }) => data?.rotateToken?.value ?? [])
  expect(values).toHaveLength(1)
  expect(await statusOf(values[0])).toBe(200)
})

test('the audit log names the token that rotated or revoked itself or another one', async () => {
  const { team, token } = await createOwnedTeam(database)
  const robot = await teamToken(database, team, { name: 'Robot' })
  const other = await teamToken(database, team, { name: 'Other' })
  await mutate(service, robot, revocation, { id: await idOf(other) })
  const { data } = await mutate(service, robot, rotation, { id: await idOf(robot) })
  expect((await mutate(service, data.rotateToken.value, revocation, { id: await idOf(data.rotateToken.value) })).refusal).toBeNull()
  const query = `{ team(slug: "${team.slug}") { auditEntries { nodes { actionName actorKind actorName authenticationMethod subjectName } } } }`
  const log = (await mutate(service, token, query)).data.team.auditEntries.nodes
  const actor = { actorName: 'Robot', authenticationMethod: 'TEAM_TOKEN' }
  expect(log).toMatchObject([
    { actionName: 'revokeToken', ...actor, subjectName: 'Robot' },
    { actionName: 'rotateToken', ...actor, subjectName: 'Robot' },
    { actionName: 'revokeToken', ...actor, subjectName: 'Other' },
  ])
})

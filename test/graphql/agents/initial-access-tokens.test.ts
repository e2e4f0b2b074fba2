import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { registerClient } from '../../support/agents/initial-access.ts'
import { executeWith } from '../../support/oauth/clients/team-client.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const day = 86_400_000
const fields = 'tokenId hint createdBy { userId } createdAt expiresAt lastUsedAt'
const create = `mutation ($input: CreateInitialAccessTokenInput!) { createInitialAccessToken(input: $input) { value token { ${fields} } } }`
const remove = 'mutation ($id: ID!) { deleteInitialAccessToken(input: { id: $id }) { token { hint } } }'
const listed = `query ($team: String!) { team(slug: $team) { agents { initialAccessTokens { ${fields} } } } }`

async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  return { team, owner, session: await sessionOf(service, owner) }
}
let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene()
})
const createToken = (input: object = {}) => executeAs(service, scene.session, create, { input: { team: scene.team.slug, ...input } })
const listTokens = async () =>
  (await executeAs(service, scene.session, listed, { team: scene.team.slug })).data.team.agents.initialAccessTokens
const inDays = (days: number) => new Date(clock.now().getTime() + days * day).toISOString()

test('a token is created for 7 days, listed, used and deleted', async () => {
  const { data } = await createToken()
  const { value, token } = data.createInitialAccessToken
  expect(value).toMatch(/^iat_[0-9A-Za-z]{36}$/)
  const hint = `iat_…${value.slice(-4)}`
  expect(token).toMatchObject({ hint, createdBy: { userId: scene.owner.id }, lastUsedAt: null })
  expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBe(7 * day)
  expect(await listTokens()).toEqual([token])
  expect((await registerClient(service, value)).status).toBe(201)
  expect(await listTokens()).toEqual([{ ...token, lastUsedAt: expect.any(String) }])
  expect((await executeAs(service, scene.session, remove, { id: token.tokenId })).data.deleteInitialAccessToken.token).toEqual({ hint })
  expect(await listTokens()).toEqual([])
  expect((await registerClient(service, value)).status).toBe(401)
  expect((await executeAs(service, scene.session, remove, { id: token.tokenId })).refusal?.code).toBe('not_found')
})

describe('an expiry is refused, and nothing changes:', () => {
  test.each([
    ['now', 0],
    ['in the past', -1],
    ['in more than 90 days', 90.1],
  ])('%s', async (_, days) => {
    const { refusal } = await createToken({ expiresAt: inDays(days) })
    expect(refusal?.details.errors).toEqual({ expiresAt: ['The expires at field must be a date within 90 days.'] })
    expect(await listTokens()).toEqual([])
  })
})

test('a team can have 5 tokens that have not expired', async () => {
  for (let index = 0; index < 5; index++) expect((await createToken({ expiresAt: inDays(1) })).refusal).toBeNull()
  const { refusal } = await createToken()
  expect(refusal?.details.errors).toEqual({ team: ['A team can have 5 initial access tokens. Delete one to create another.'] })
  await database.prisma.initialAccessToken.updateMany({ where: { teamId: scene.team.id }, data: { expiresAt: clock.now() } })
  expect((await createToken()).refusal).toBeNull()
})

test('a form that is sent twice creates one token', async () => {
  const idempotencyKey = randomUUID()
  expect((await createToken({ idempotencyKey })).refusal).toBeNull()
  const { refusal } = await createToken({ idempotencyKey, expiresAt: inDays(2) })
  expect(refusal?.details.errors).toEqual({ idempotencyKey: ['The token was already created, and its value is not shown again.'] })
  expect(await listTokens()).toHaveLength(1)
})

test('where teams cannot register clients, no token is created', async () => {
  const input = { team: scene.team.slug }
  const { code, messages } = await executeWith(service, scene.session, create, { input }, { clientRegistration: 'closed' })
  expect([code, messages]).toEqual(['validation_failed', { team: ['Teams cannot register clients at this service. Ask its operator.'] }])
})

describe('who cannot see, create or delete tokens:', () => {
  test.each([
    ['a member', 'member', 'role_required', 'role_required'],
    ['a billing member', 'billing', 'role_required', 'role_required'],
    ['an owner of another team', null, 'team_forbidden', 'not_found'],
  ] as const)('%s', async (_, role, refusedTeam, refusedToken) => {
    const { data } = await createToken()
    const other = await createUser(database)
    if (role) await join(database, scene.team, other, role)
    const session = await sessionOf(service, other)
    const refusals = [
      await executeAs(service, session, listed, { team: scene.team.slug }),
      await executeAs(service, session, create, { input: { team: scene.team.slug } }),
      await executeAs(service, session, remove, { id: data.createInitialAccessToken.token.tokenId }),
    ].map(({ refusal }) => refusal?.code)
    expect(refusals).toEqual([refusedTeam, refusedTeam, refusedToken])
    expect(await listTokens()).toHaveLength(1)
  })
})

test('a token remains when its creator leaves, and works again when the team is restored', async () => {
  const { data } = await createToken()
  const { value } = data.createInitialAccessToken
  const other = await createUser(database)
  await join(database, scene.team, other, 'owner')
  await database.prisma.member.deleteMany({ where: { userId: scene.owner.id } })
  expect((await registerClient(service, value)).status).toBe(201)
  await database.prisma.team.update({ where: { id: scene.team.id }, data: { deletedAt: clock.now() } })
  expect((await registerClient(service, value)).status).toBe(401)
  await database.prisma.team.update({ where: { id: scene.team.id }, data: { deletedAt: null } })
  expect((await registerClient(service, value, { client_name: 'Other', redirect_uris: ['https://a.example/'] })).status).toBe(201)
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../prisma/generated/client/client.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { rowsRead } from '../support/data/rows-read.ts'
import { createTeam, createUser, join, personalToken, unique } from '../support/data/team.ts'
import { graphql } from '../support/http/graphql.ts'
import { request } from '../support/http/request.ts'
import { accessToken, createGrant } from '../support/oauth/oauth-rows.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database
const teamCount = 1000
const slugs = Array.from({ length: teamCount }, (_, index) => `many-${String(index).padStart(4, '0')}`)
let user: User
let deleted: Team
let token: string
beforeAll(async () => {
  user = await createUser(database)
  const teams = await prisma.team.createManyAndReturn({ data: slugs.toReversed().map((slug) => ({ slug, name: 'Acme' })) })
  await prisma.member.createMany({ data: teams.map(({ id }) => ({ teamId: id, userId: user.id, role: 'owner', allApplications: true })) })
  deleted = await createTeam(database, { slug: 'many-deleted', deletedAt: new Date() })
  await join(database, deleted, user, 'owner')
  await join(database, await createTeam(database, { slug: 'many-first' }), await createUser(database), 'owner')
  token = await personalToken(database, user)
})

/** The statements of a request, without those in the background. */
const statementsOfRequest = () => service.statements.filter((text) => !text.includes('last_used_at = u.at'))

/** Sends a request and returns its response with the number of its statements. */
async function counted<Response>(send: () => Promise<Response>): Promise<[Response, number]> {
  service.statements.length = 0
  const response = await send()
  return [response, statementsOfRequest().length]
}

const get = (path: string, value = token) => counted(() => request(service, 'GET', `/api${path}`, { token: value }))
const slugsOf = (teams: { slug: string }[]) => teams.map(({ slug }) => slug)
const credentials: [string, () => Promise<string>][] = [
  ['a personal token', async () => token],
  ['an OAuth access token', async () => accessToken(database, await createGrant(database, user))],
]

describe.each(credentials)('%s of a user with 1,000 teams', (_, credential) => {
  test('lists every team by slug with at most two statements', async () => {
    const [{ status, body }, statements] = await get('/v1/teams', await credential())
    expect([status, slugsOf(body.data)]).toEqual([200, slugs])
    expect(statements).toBeLessThanOrEqual(2)
    const [account, accountStatements] = await get('/v1/user', await credential())
    expect(account.body.teams).toEqual(slugs)
    expect(accountStatements).toBeLessThanOrEqual(2)
  })

  test('reads one team with one statement and a page of its members with two', async () => {
    const value = await credential()
    const [{ status, body }, statements] = await get('/v1/teams/many-0500', value)
    expect([status, body.slug, statements]).toEqual([200, 'many-0500', 1])
    const [members, memberStatements] = await get('/v1/teams/many-0999/members', value)
    expect([members.status, members.body.meta.total, memberStatements]).toEqual([200, 1, 2])
  })

  test('reads few of the memberships for a request that names a team', async () => {
    await database.pool
      .query(`WITH added AS (INSERT INTO users (email, name) SELECT gen_random_uuid() || '@example.com', 'User' FROM generate_series(1, 2000) RETURNING id)
      INSERT INTO members (team_id, user_id, role) SELECT t.id, added.id, 'member' FROM added, teams t WHERE t.slug = 'many-first'`)
    await database.pool.query('ANALYZE')
    const value = await credential()
    await get('/v1/teams/many-0999', value)
    const [text = ''] = statementsOfRequest()
    expect(await rowsRead(database.pool, text, [sha256(value), new Date(), 'many-0999'])).toBeLessThan(100)
  })

  test.each(['many-deleted', 'many-first', 'unknown', 'MANY-0001', '%00', 'x'.repeat(100), '%F0%9F%9A%80'])(
    'receives 403 for the team %s after one statement',
    async (slug) => {
      const [{ status, body }, statements] = await get(`/v1/teams/${slug}`, await credential())
      expect([status, body.code, statements]).toEqual([403, 'team_forbidden', 1])
    },
  )

  test('reads several teams of a GraphQL document with one statement more', async () => {
    const aliases = ['many-0001', 'many-0002', 'many-0001'].map((slug, index) => `a${index}: team(slug: "${slug}") { slug name }`)
    const value = await credential()
    const [{ data, errors }, statements] = await counted(() => graphql(service, value, `{ ${aliases.join(' ')} }`))
    expect([errors, slugsOf(Object.values(data)), statements]).toEqual([[], ['many-0001', 'many-0002', 'many-0001'], 2])
    const forbidden = await graphql(service, value, '{ a: team(slug: "many-0001") { slug } b: team(slug: "many-first") { slug } }')
    expect(forbidden.errors.map(({ extensions }) => extensions?.code)).toEqual(['team_forbidden'])
  })
})

test('a personal token lists neither a team whose owner revoked its access nor reaches it', async () => {
  const value = await personalToken(database, user)
  const { id } = await prisma.team.findUniqueOrThrow({ where: { slug: 'many-0000' } })
  await prisma.accessToken.update({ where: { hash: sha256(value) }, data: { revokedTeamIds: [id] } })
  expect((await get('/v1/teams/many-0000', value))[0].body.code).toBe('team_forbidden')
  expect((await get('/v1/teams/many-0001', value))[0].status).toBe(200)
  expect(slugsOf((await get('/v1/teams', value))[0].body.data)).toEqual(slugs.slice(1))
  const { data } = await graphql(service, value, '{ teams { slug } }')
  expect(slugsOf(data.teams)).toEqual(slugs.slice(1))
  const one = await graphql(service, value, '{ team(slug: "many-0000") { slug } }')
  expect(one.errors[0]?.extensions?.code).toBe('team_forbidden')
})

test('a grant for one team reaches that team alone', async () => {
  const team = await prisma.team.findUniqueOrThrow({ where: { slug: 'many-0007' } })
  const value = await accessToken(database, await createGrant(database, user, { team }))
  expect(slugsOf((await get('/v1/teams', value))[0].body.data)).toEqual(['many-0007'])
  expect((await get('/v1/teams/many-0007', value))[0].status).toBe(200)
  expect((await get('/v1/teams/many-0008', value))[0].body.code).toBe('team_forbidden')
})

test('a user’s tenth and eleventh team are listed alike', async () => {
  const person = await createUser(database)
  const value = await personalToken(database, person)
  for (let count = 1; count <= 12; count++) {
    await join(database, await createTeam(database, { slug: unique('few') }), person, 'owner')
    const [{ body }] = await get('/v1/teams', value)
    expect(slugsOf(body.data)).toEqual(slugsOf(body.data).toSorted())
    expect(body.data).toHaveLength(count)
    expect((await graphql(service, value, '{ teams { slug } }')).data.teams).toHaveLength(count)
  }
})

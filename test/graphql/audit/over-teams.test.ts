import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam, createTeam, join, personalToken, teamToken } from '../../support/data/team.ts'
import { createOwnerOfTeams } from '../../support/graphql/dashboards/teams.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let owner: User
let token: string
let joined: Team
beforeAll(async () => {
  ;({ owner, token } = await createOwnerOfTeams(service, 12))
  joined = await createTeam(database)
  await join(database, joined, owner, 'member')
  // An entry of a team in which the owner is no owner, and entries of teams of others.
  const entry = { action: 'updateTeam', actorKind: 'user', actorName: 'Eve', authenticationMethod: 'session', requestId: 'r' }
  await database.prisma.auditEntry.create({ data: { ...entry, at: new Date(), teamId: joined.id, subject: joined.slug } })
  await createOwnerOfTeams(service, 2)
})

/** The identifiers of the entries of all teams that the owner owns, latest first. */
async function storedIds(condition = 'true', order = 'at DESC, id DESC'): Promise<string[]> {
  const text = `SELECT id FROM audit_entries WHERE team_id IN (SELECT team_id FROM members WHERE user_id = $1 AND role = 'owner')
    AND ${condition} ORDER BY ${order}`
  return (await database.pool.query(text, [owner.id])).rows.map(({ id }) => id)
}
const read = async (selection: string, variables: Record<string, unknown> = {}, declared = '') => {
  const { data, errors } = await graphql(service, token, `query ${declared} { ${selection} }`, variables)
  expect(errors).toEqual([])
  return data
}
const idsOf = (page: any): string[] => page.nodes.map(({ entryId }: { entryId: string }) => entryId)

describe('auditEntries over teams', () => {
  test('lists the entries of all teams that the caller owns in one order, page by page', async () => {
    const stored = await storedIds()
    for (const page of [1, 2, 3, 100]) {
      const { auditEntries } = await read(`auditEntries(perPage: 20, page: ${page}) { total lastPage nodes { entryId } }`)
      expect(auditEntries).toMatchObject({ total: stored.length, lastPage: Math.ceil(stored.length / 20) })
      expect(idsOf(auditEntries)).toEqual(stored.slice((page - 1) * 20, page * 20))
    }
  })

  test('takes the filters and orders of the list of one team', async () => {
    const { byName, users } = await read(`
      byName: auditEntries(actor: "be", orderBy: { field: ACTION, direction: ASC }, perPage: 100) { total nodes { entryId } }
      users: auditEntries(actorKind: USER, action: UPDATE_TEAM, perPage: 100) { total nodes { entryId } }`)
    const byBen = await storedIds(`actor_name = 'Ben'`, 'action, at, id')
    expect([byName.total, idsOf(byName)]).toEqual([byBen.length, byBen.slice(0, 100)])
    expect(idsOf(users)).toEqual(await storedIds(`actor_kind = 'user' AND action = 'updateTeam'`))
  })

  const forward = ['forward', 'first: 40, after: $cursor', ({ pageInfo }: any) => pageInfo.hasNextPage && pageInfo.endCursor] as const
  const backward = [
    'backward',
    'last: 40, before: $cursor',
    ({ pageInfo }: any) => pageInfo.hasPreviousPage && pageInfo.startCursor,
  ] as const
  test.each([
    [...forward, '', 'true'],
    [...backward, '', 'true'],
    [...forward, 'actor: "be"', `actor_name = 'Ben'`],
    [...backward, 'actor: "be"', `actor_name = 'Ben'`],
  ] as const)('has each entry once in its connection, walked %s', async (direction, range, next, filter, condition) => {
    const walked: string[][] = []
    for (let cursor: string | null = null; ;) {
      const fields = '{ totalCount nodes { entryId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }'
      const { auditEntriesConnection: page } = await read(
        `auditEntriesConnection(${range} ${filter}) ${fields}`,
        { cursor },
        '($cursor: String)',
      )
      walked.push(idsOf(page))
      cursor = next(page)
      if (!cursor) break
    }
    const stored = await storedIds(condition)
    expect(stored.length).toBeGreaterThan(80)
    expect((direction === 'forward' ? walked : walked.toReversed()).flat()).toEqual(stored)
  })

  test('lists only the given teams, and is refused if the caller may not read the entries of one of them', async () => {
    const query = 'query ($teams: [String!]) { auditEntries(teams: $teams) { total nodes { team { id slug } } } }'
    const { rows } = await database.pool.query(
      'SELECT slug FROM teams JOIN members ON team_id = id WHERE user_id = $1 AND role = $2 LIMIT 2',
      [owner.id, 'owner'],
    )
    const slugs = rows.map(({ slug }) => slug)
    const { data } = await graphql(service, token, query, { teams: slugs })
    expect(new Set(data.auditEntries.nodes.map(({ team }: any) => team.slug))).toEqual(new Set(slugs))
    expect((await graphql(service, token, query, { teams: [] })).data.auditEntries).toEqual({ total: 0, nodes: [] })
    const codeFor = async (teams: string[], credential = token) =>
      (await graphql(service, credential, query, { teams })).errors.map(({ path, extensions }) => [path, extensions?.code])
    const foreign = await createOwnedTeam(database)
    expect(await codeFor([...slugs, joined.slug])).toEqual([[['auditEntries'], 'role_required']])
    expect(await codeFor([...slugs, foreign.team.slug])).toEqual([[['auditEntries'], 'team_forbidden']])
    const limited = await personalToken(database, owner, { scopes: ['acct:team:read'] })
    expect(await codeFor(slugs, limited)).toEqual([[['auditEntries'], 'insufficient_scope']])
  })

  test('lists the entries of its own team to a team token, and none to a user who owns no team', async () => {
    const { team } = await createOwnedTeam(database)
    const query = '{ auditEntries { total nodes { entryId } } auditEntriesConnection { totalCount nodes { entryId } } }'
    const none = { auditEntries: { total: 0, nodes: [] }, auditEntriesConnection: { totalCount: 0, nodes: [] } }
    expect((await graphql(service, await teamToken(database, team), query)).data).toEqual(none)
    const { data } = await graphql(service, await teamToken(database, joined), query)
    expect([data.auditEntries.total, data.auditEntriesConnection.totalCount]).toEqual([1, 1])
  })

  test('sends two statements, one for the rows and one for the total, however many teams there are', async () => {
    const count = async (credential: string, selection: string) => {
      service.statements.length = 0
      expect((await graphql(service, credential, `{ auditEntries { ${selection} } }`)).errors).toEqual([])
      return service.statements.filter((text) => text.includes('FROM audit_entries')).length
    }
    const { token: one } = await createOwnerOfTeams(service, 1)
    for (const credential of [one, token]) {
      expect(await count(credential, 'total nodes { at }')).toBe(2)
      expect(await count(credential, 'nodes { at team { slug } }')).toBe(1)
      expect(await count(credential, 'total')).toBe(1)
    }
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { addAccess } from '../../support/graphql/access-rows.ts'
import { createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** A personal token of an owner of so many teams, each with tokens, grants, invitations and audit entries. */
async function ownerOf(count: number): Promise<string> {
  const owner = await createUser(database)
  for (let index = 0; index < count; index++) {
    const team = await createTeam(database)
    await join(database, team, owner, 'owner')
    await addAccess(service, team.id, 3)
  }
  return personalToken(database, owner)
}

/** The statements of a query, except those that authenticate and record the use of the token. */
async function statementsOf(token: string, query: string): Promise<string[]> {
  service.statements.length = 0
  const { errors } = await graphql(service, token, query)
  expect(errors).toEqual([])
  return service.statements.filter((text) => !text.includes('last_used_at = u.at') && !text.includes('json_build_array'))
}

let one: string
let fifty: string
beforeAll(async () => {
  one = await ownerOf(1)
  fifty = await ownerOf(50)
})

describe('a query over 50 teams sends as many statements as over one', () => {
  test.each([
    ['tokens', 'tokens(perPage: 5, live: true) { nodes { name createdBy { name } previousValue { hint } } total }', 1],
    ['personal tokens', 'personalTokens(perPage: 5) { nodes { name user { name } scopes } total }', 1],
    ['grants', 'grants(perPage: 5) { nodes { scopes fixedScopes user { name } client { name } teamSlug } total }', 1],
    ['access', 'access(perPage: 5) { nodes { name personName hint } total }', 1],
    ['invitations', 'invitations(perPage: 5) { nodes { email status accessibleAppIds } total }', 1],
    ['people', 'people(perPage: 5) { nodes { name lastActiveAt hasTwoFactor } total }', 1],
    ['audit entries', 'auditEntries(perPage: 5) { nodes { action actorName before after } total }', 1],
    [
      'tokens that expire and unused tokens',
      'a: tokens(expiresBefore: "2099-01-01T00:00:00Z") { total } b: tokens(unusedSince: "2099-01-01T00:00:00Z") { total }',
      2,
    ],
    ['a connection', 'auditEntriesConnection(first: 2) { edges { cursor node { action } } pageInfo { hasNextPage } totalCount }', 2],
    [
      'connections without totals',
      'tokensConnection(first: 2) { nodes { name } } grantsConnection(last: 2) { nodes { client { name } } }',
      2,
    ],
  ])('for %s', async (_, selection, expected) => {
    for (const [teams, token] of [
      [1, one],
      [50, fifty],
    ] as const)
      expect([teams, await statementsOf(token, `{ teams { slug ${selection} } }`)]).toEqual([
        teams,
        Array(expected).fill(expect.any(String)),
      ])
  })
})

test('a list of which only the total is selected loads no rows', async () => {
  for (const list of ['tokens', 'personalTokens', 'grants', 'access', 'invitations', 'people', 'auditEntries'])
    for (const selection of [`${list} { total }`, `${list}Connection { totalCount }`]) {
      const [statement, ...others] = await statementsOf(one, `{ teams { ${selection} } }`)
      expect([statement?.startsWith('SELECT count(*) AS "inAll" '), others]).toEqual([true, []])
    }
})

test('lists of many teams have the rows that each team has alone', async () => {
  const selection = `slug tokens(perPage: 2, orderBy: { field: LAST_USED, direction: DESC }) { nodes { name } total }
    personalTokens(page: 2, perPage: 1) { nodes { tokenId user { userId } } total } grants(perPage: 2) { nodes { grantId client { clientId } teamSlug } total }
    access(perPage: 3) { nodes { name personName } total } invitations { nodes { email } total } people(state: INVITED) { nodes { email } total }
    auditEntries(perPage: 1) { nodes { entryId } total } auditEntriesConnection(last: 1) { edges { cursor node { entryId } } totalCount }`
  const { data, errors } = await graphql(service, fifty, `{ teams { ${selection} } }`.replaceAll(/\s+/g, ' '))
  expect(errors).toEqual([])
  expect(data.teams).toHaveLength(50)
  for (const team of [data.teams[0], data.teams[24], data.teams[49]]) {
    const alone = await graphql(service, fifty, `{ team(slug: "${team.slug}") { ${selection} } }`)
    expect(alone.data.team).toEqual(team)
  }
})

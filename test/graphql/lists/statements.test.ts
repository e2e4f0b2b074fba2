import { beforeAll, describe, expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoice.ts'
import { createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** A personal token of an owner of so many teams, each with two members and two invoices. */
async function ownerOf(count: number): Promise<string> {
  const owner = await createUser(database)
  for (let index = 0; index < count; index++) {
    const team = await createTeam(database)
    await join(database, team, owner, 'owner')
    await join(database, team, await createUser(database, { name: `Member ${index}` }), 'member')
    await createInvoice(database, team, { dueDate: new Date('2026-01-01') }, [1, 2])
    await createInvoice(database, team, { number: `no-${index}` }, [3])
    await database.prisma.connectedApp.create({ data: { teamId: team.id, application: 'deploy', name: `Deploy ${index}` } })
  }
  return personalToken(database, owner)
}

/** The statements of a query, except those that authenticate and record the use of the token. */
async function statementsOf(token: string, query: string): Promise<string[]> {
  service.statements.length = 0
  const { errors } = await graphql(service, token, query)
  expect(errors).toEqual([])
  return service.statements.filter((text) => !text.includes('last_used_at = u.at') && !text.includes('FROM access_tokens'))
}

let one: string
let fifty: string
beforeAll(async () => {
  one = await ownerOf(1)
  fifty = await ownerOf(50)
})

describe('a query over 50 teams sends as many statements as over one', () => {
  test.each([
    ['members', 'members(perPage: 5) { nodes { name } total }', 1],
    ['members in another order', 'members(perPage: 5, orderBy: { field: NAME, direction: ASC }) { nodes { name } total }', 1],
    ['numbers of members', 'members { total } owners: members(role: OWNER) { total }', 2],
    ['invoices with lines', 'invoices(perPage: 5) { nodes { number lines { amount } } total }', 2],
    ['sums', 'invoices(perPage: 1) { sums { currency outstanding overdueCount } }', 1],
    ['applications', 'apps(perPage: 5) { nodes { name } total }', 1],
    ['connections', 'membersConnection(first: 2) { edges { cursor node { name } } pageInfo { hasNextPage } totalCount }', 2],
    ['connections without their total', 'invoicesConnection(first: 2) { nodes { number lines { amount } } pageInfo { endCursor } }', 2],
    ['members without two-factor authentication', 'membersWithoutTwoFactor(perPage: 5) { nodes { name } total }', 1],
  ])('for %s', async (_, selection, expected) => {
    for (const [token, teams] of [
      [one, 1],
      [fifty, 50],
    ] as const) {
      const query = `{ teams { slug ${selection} } }`
      const statements = await statementsOf(token, query)
      const ofTeams = statements.filter((text) => !text.includes('json_build_array'))
      expect([teams, ofTeams.length]).toEqual([teams, expected])
    }
  })
})

test('a list of which only the total is selected loads no rows', async () => {
  for (const selection of [
    'members { total }',
    'members { lastPage }',
    'invoices(appId: DEPLOY) { total }',
    'membersConnection { totalCount }',
  ]) {
    const statements = await statementsOf(one, `{ teams { ${selection} } }`)
    expect(statements.filter((text) => /FROM (?:members|invoices)/.test(text) && !text.includes('json_build_array'))).toEqual([])
    expect(statements.filter((text) => text.includes('team_counts'))).toHaveLength(1)
  }
})

test('a connection or a page whose total is not selected counts nothing', async () => {
  const selections = [
    'membersConnection { nodes { name } }',
    'members(role: OWNER) { nodes { name } }',
    'members(role: OWNER) { page perPage }',
  ]
  for (const selection of selections)
    expect((await statementsOf(one, `{ teams { ${selection} } }`)).filter((text) => /count/.test(text))).toEqual([])
})

test('lists of many teams have the rows that each team has alone', async () => {
  const selection = `slug members(perPage: 5) { nodes { name } total } byName: members(perPage: 1, page: 2, orderBy: { field: NAME, direction: DESC }) { nodes { name } total }
    invoices(perPage: 1, appId: FLOW) { total nodes { number } } all: invoices(perPage: 2) { nodes { number lines { amount currency } } sums { currency outstanding } }
    invoicesConnection(first: 1, orderBy: { field: DUE, direction: DESC }) { edges { node { number } cursor } totalCount } apps { nodes { name } }`
  const { data } = await graphql(service, fifty, `{ teams { ${selection} } }`.replaceAll(/\s+/g, ' '))
  expect(data.teams).toHaveLength(50)
  for (const team of [data.teams[0], data.teams[24], data.teams[49]]) {
    const alone = await graphql(service, fifty, `{ team(slug: "${team.slug}") { ${selection} } }`)
    expect(alone.data.team).toEqual(team)
  }
})

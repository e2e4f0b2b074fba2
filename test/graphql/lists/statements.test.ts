import { describe, expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createUser, join } from '../../support/data/team.ts'
import { useOwnersOfTeams } from '../../support/graphql/owners-of-teams.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
// Each team has two members, two invoices and an application.
const { statementsOf, expectStatements, expectSameRowsAlone } = useOwnersOfTeams(service, async (team, index) => {
  await join(database, team, await createUser(database, { name: `Member ${index}` }), 'member')
  await createInvoice(database, team, { application: 'deploy', dueDate: new Date('2026-01-01') }, [1, 2])
  await createInvoice(database, team, { number: `no-${index}` }, [3])
  await database.pool.query(`UPDATE invoice_lines SET application = 'deploy'`)
  await database.prisma.connectedApp.create({ data: { teamId: team.id, application: 'deploy', name: `Deploy ${index}` } })
})

describe('a query over 50 teams sends as many statements as over one', () => {
  test.each([
    ['members', 'members(perPage: 5) { nodes { name } total }', 1],
    ['members in another order', 'members(perPage: 5, orderBy: { field: NAME, direction: ASC }) { nodes { name } total }', 1],
    ['memberships', 'members(perPage: 5) { nodes { user { memberships(perPage: 5) { total nodes { role team { slug } } } } } }', 2],
    ['connections of memberships', 'members(perPage: 5) { nodes { user { membershipsConnection(first: 5) { nodes { role } } } } }', 2],
    ['numbers of members', 'members { total } owners: members(role: OWNER) { total }', 2],
    ['invoices with lines', 'invoices(perPage: 5) { nodes { number lines { amount } } total }', 2],
    [
      'what invoices refer to',
      'invoices(perPage: 5) { nodes { app { name } team { slug } lines { invoice { number } app { name } } } }',
      4,
    ],
    ['sums', 'invoices(perPage: 1) { sums { currency outstanding overdueCount } }', 1],
    ['applications', 'apps(perPage: 5) { nodes { name } total }', 1],
    ['connections', 'membersConnection(first: 2) { edges { cursor node { name } } pageInfo { hasNextPage } totalCount }', 2],
    ['connections without their total', 'invoicesConnection(first: 2) { nodes { number lines { amount } } pageInfo { endCursor } }', 2],
    ['members without two-factor authentication', 'membersWithoutTwoFactor(perPage: 5) { nodes { name } total }', 1],
  ])('for %s', (_, selection, expected) => expectStatements(selection, expected))
})

test('a list of which only the total is selected loads no rows', async () => {
  for (const selection of [
    'members { total }',
    'members { lastPage }',
    'invoices(appId: DEPLOY) { total }',
    'membersConnection { totalCount }',
  ]) {
    const statements = await statementsOf(selection)
    expect(statements.filter((text) => /FROM (?:members|invoices)/.test(text))).toEqual([])
    expect(statements.filter((text) => text.includes('team_counts'))).toHaveLength(1)
  }
})

test('a connection or a page whose total is not selected counts nothing', async () => {
  const selections = [
    'membersConnection { nodes { name } }',
    'members(role: OWNER) { nodes { name } }',
    'members(role: OWNER) { page perPage }',
  ]
  for (const selection of selections) expect((await statementsOf(selection)).filter((text) => /count/.test(text))).toEqual([])
})

test('lists of many teams have the rows that each team has alone', () =>
  expectSameRowsAlone(`members(perPage: 5) { nodes { name } total } byName: members(perPage: 1, page: 2, orderBy: { field: NAME, direction: DESC }) { nodes { name } total }
    invoices(perPage: 1, appId: FLOW) { total nodes { number } } all: invoices(perPage: 2) { nodes { number lines { amount currency } } sums { currency outstanding } }
    invoicesConnection(first: 1, orderBy: { field: DUE, direction: DESC }) { edges { node { number } cursor } totalCount } apps { nodes { name } }`))

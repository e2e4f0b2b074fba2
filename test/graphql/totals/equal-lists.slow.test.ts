import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillTeam, teamData } from '../../support/data/team-content.ts'
import { createOwnedTeam, createTeam, join } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service

const lists = `fragment Lists on Team {
  slug
  membersList: members(perPage: 100) { nodes { role } }
  invoicesList: invoices(perPage: 100) { nodes { appId status currency subtotal tax total amountDue amountPaid invoiceDate isOverdue } }
  tokensList: tokens(perPage: 100) { nodes { scopes createdAt lastUsedAt expiresAt revokedAt } }
  invitationsList: invitations(perPage: 100) { nodes { status role } }
}`
const totals = (team = '') => `
  members: memberTotals(groupBy: [${team} ROLE]) { team { slug } role count }
  invoices: invoiceTotals(since: "2000-01-01", groupBy: [${team} MONTH APPLICATION STATUS]) {
    team { slug } month appId status currency count subtotal tax total paid outstanding outstandingCount overdue overdueCount
  }
  currencies: invoiceTotals(groupBy: [${team}]) { team { slug } currency count total outstanding overdue }
  tokens: tokenTotals(groupBy: [${team} STATE AGE LAST_USE EXPIRY]) { team { slug } state age lastUse expiry count neverUsed unusedFor30Days }
  scopes: tokenTotals(groupBy: [${team} SCOPE]) { team { slug } scope count unusedFor90Days expiringWithin30Days }
  invitations: invitationTotals(groupBy: [${team} STATUS ROLE]) { team { slug } status role count }`
/** The lists and the totals of each team, the totals by team, and those of all teams together. */
const queries = [`{ teams { ...Lists } } ${lists}`, `{ teams { ${totals()} } }`, `{ ${totals('TEAM')} }`, `{ ${totals()} }`]

type Row = Record<string, unknown>

/** Groups rows by what `keyOf` returns and adds the numbers of `numbersOf`, in no order. */
function sums(rows: readonly any[], keyOf: (row: any) => Row, numbersOf: (row: any) => Record<string, number>): Row[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(keyOf(row)))
  return Array.from(groups, ([key, grouped]) => {
    const numbers: Record<string, number> = { count: grouped.length }
    for (const row of grouped) for (const [name, number] of Object.entries(numbersOf(row))) numbers[name] = (numbers[name] ?? 0) + number
    return { ...JSON.parse(key), ...numbers }
  })
}

/** The totals of the nodes of lists, each with the slug of its team. */
function totalsOf(nodes: Record<'members' | 'invoices' | 'tokens' | 'invitations', any[]>) {
  const age = (instant: string | null) => (instant === null ? null : (clock.now().getTime() - Date.parse(instant)) / 86_400_000)
  const isOlder = (instant: string | null, limit: number) => Number((age(instant) ?? Infinity) > limit)
  const stateOf = ({ revokedAt, expiresAt }: any) => (revokedAt ? 'REVOKED' : (age(expiresAt) ?? -1) >= 0 ? 'EXPIRED' : 'LIVE')
  const step = (value: number | null, steps: readonly (readonly [number, string])[], none: string) =>
    value === null ? none : (steps.find(([limit]) => value < limit)?.[1] ?? 'none')
  const ageSteps = [
    [30, 'UP_TO_30_DAYS'],
    [90, 'UP_TO_90_DAYS'],
    [365, 'UP_TO_365_DAYS'],
    [Infinity, 'OVER_365_DAYS'],
  ] as const
  const useSteps = [
    [30, 'WITHIN_30_DAYS'],
    [90, 'WITHIN_90_DAYS'],
    [Infinity, 'OVER_90_DAYS'],
  ] as const
  const expirySteps = [
    [0, 'PAST'],
    [30, 'WITHIN_30_DAYS'],
    [90, 'WITHIN_90_DAYS'],
    [Infinity, 'LATER'],
  ] as const
  const inDays = (instant: string | null) => (instant === null ? null : -(age(instant) ?? 0))
  const live = nodes.tokens.filter((token) => stateOf(token) === 'LIVE')
  const open = (row: any) => Number(row.status === 'OPEN')
  return {
    members: sums(
      nodes.members,
      ({ team, role }) => ({ team, role }),
      () => ({}),
    ),
    invoices: sums(
      nodes.invoices,
      ({ team, invoiceDate, appId, status, currency }) => ({ team, month: `${invoiceDate.slice(0, 7)}-01`, appId, status, currency }),
      (row) => ({
        subtotal: row.subtotal,
        tax: row.tax,
        total: row.total,
        paid: row.amountPaid,
        outstanding: open(row) * row.amountDue,
        outstandingCount: open(row),
        overdue: Number(row.isOverdue) * row.amountDue,
        overdueCount: Number(row.isOverdue),
      }),
    ),
    currencies: sums(
      nodes.invoices.filter(({ status }) => status !== 'VOID'),
      ({ team, currency }) => ({ team, currency }),
      (row) => ({ total: row.total, outstanding: open(row) * row.amountDue, overdue: Number(row.isOverdue) * row.amountDue }),
    ),
    tokens: sums(
      nodes.tokens,
      (token) => ({
        team: token.team,
        state: stateOf(token),
        age: step(age(token.createdAt), ageSteps, ''),
        lastUse: step(age(token.lastUsedAt), useSteps, 'NEVER'),
        expiry: step(inDays(token.expiresAt), expirySteps, 'NEVER'),
      }),
      ({ lastUsedAt }) => ({ neverUsed: Number(lastUsedAt === null), unusedFor30Days: isOlder(lastUsedAt, 30) }),
    ),
    scopes: sums(
      live.flatMap((token) => token.scopes.map((scope: string) => ({ ...token, scope }))),
      ({ team, scope }) => ({ team, scope }),
      ({ lastUsedAt, expiresAt }) => ({
        unusedFor90Days: isOlder(lastUsedAt, 90),
        expiringWithin30Days: Number((inDays(expiresAt) ?? Infinity) < 30),
      }),
    ),
    invitations: sums(
      nodes.invitations,
      ({ team, status, role }) => ({ team, status, role }),
      () => ({}),
    ),
  }
}

const names = ['members', 'invoices', 'currencies', 'tokens', 'scopes', 'invitations'] as const
/** Rows in an order of their own, with properties in alphabetical order, and the slug as team. */
const sorted = (rows: readonly any[]) =>
  rows.map((row) => JSON.stringify({ ...row, team: row.team?.slug ?? row.team ?? null }, Object.keys(row).toSorted())).toSorted()

test('totals of one team, by team and over all teams equal the sums of the listed rows, for arbitrary data', async () => {
  await fc.assert(
    fc.asyncProperty(teamData, teamData, async (one, other) => {
      const { team, owner, token } = await createOwnedTeam(database)
      const second = await createTeam(database)
      await join(database, second, owner, 'owner')
      await fillTeam(service, team, owner, one)
      await fillTeam(service, second, owner, other)
      const responses = await Promise.all(queries.map((query) => graphql(service, token, query)))
      expect(responses.flatMap(({ errors }) => errors)).toEqual([])
      const [listed, ofTeams, grouped, summed] = responses.map(({ data }) => data)
      const nodesOf = (name: 'members' | 'invoices' | 'tokens' | 'invitations', keepsTeam: boolean) =>
        listed.teams.flatMap((each: any) => each[`${name}List`].nodes.map((node: Row) => ({ ...node, team: keepsTeam ? each.slug : null })))
      const nodes = (keepsTeam: boolean) => ({
        members: nodesOf('members', keepsTeam),
        invoices: nodesOf('invoices', keepsTeam),
        tokens: nodesOf('tokens', keepsTeam),
        invitations: nodesOf('invitations', keepsTeam),
      })
      const byTeam = totalsOf(nodes(true))
      const all = totalsOf(nodes(false))
      for (const name of names) {
        expect(sorted(grouped[name])).toEqual(sorted(byTeam[name]))
        expect(sorted(ofTeams.teams.flatMap((each: any) => each[name]))).toEqual(sorted(byTeam[name]))
        expect(sorted(summed[name])).toEqual(sorted(all[name]))
      }
    }),
    { numRuns: 12 },
  )
})

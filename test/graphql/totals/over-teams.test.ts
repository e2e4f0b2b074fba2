import { beforeAll, describe, expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
let user: User
let token: string
let owned: Team
let billed: Team
let joined: Team
beforeAll(async () => {
  user = await createUser(database)
  token = await personalToken(database, user)
  owned = await createTeam(database, { slug: 'a-owned' })
  billed = await createTeam(database, { slug: 'b-billed' })
  joined = await createTeam(database, { slug: 'c-joined' })
  await join(database, owned, user, 'owner')
  await join(database, billed, user, 'billing')
  await join(database, joined, user, 'member')
  for (const [index, team] of [owned, billed, joined, (await createOwnedTeam(database)).team].entries())
    await createInvoice(database, team, { invoiceDate: new Date('2026-11-01') }, [10 ** index])
})

const invoicesOf = async (credential: string, teams?: string[]) => {
  const query = 'query ($teams: [String!]) { invoiceTotals(teams: $teams, groupBy: [TEAM]) { team { slug } total } }'
  const { data, errors } = await graphql(service, credential, query, { teams })
  return data?.invoiceTotals?.map((row: any) => [row.team.slug, row.total]) ?? errors[0]?.extensions?.code
}

describe('totals over teams', () => {
  test('cover all teams in which the caller has the role, in the order of the slugs', async () => {
    expect(await invoicesOf(token)).toEqual([
      ['a-owned', 1],
      ['b-billed', 10],
    ])
    expect(await invoicesOf(await teamToken(database, joined))).toEqual([['c-joined', 100]])
    expect(await invoicesOf(await personalToken(database, await createUser(database)))).toEqual([])
  })

  test('cover only the named teams, each once', async () => {
    expect(await invoicesOf(token, ['b-billed', 'b-billed'])).toEqual([['b-billed', 10]])
    expect(await invoicesOf(token, [])).toEqual([])
  })

  test('are refused for a named team whose list is refused', async () => {
    const other = await createOwnedTeam(database)
    expect(await invoicesOf(token, ['a-owned', 'c-joined'])).toBe('role_required')
    expect(await invoicesOf(token, ['a-owned', other.team.slug])).toBe('team_forbidden')
    expect(await invoicesOf(token, ['a-owned', 'no-such-team'])).toBe('team_forbidden')
    expect(await invoicesOf(await personalToken(database, user, { scopes: ['acct:team:read'] }), ['a-owned'])).toBe('insufficient_scope')
    expect(await invoicesOf(await teamToken(database, owned), ['b-billed'])).toBe('team_forbidden')
  })

  test('leave out a team that requires two-factor authentication of a user without it, and refuse it if it is named', async () => {
    const { team, token } = await createOwnedTeam(database, { twoFactorRequiredAt: new Date(0) })
    const query = 'query ($teams: [String!]) { memberTotals(teams: $teams) { count } }'
    expect((await graphql(service, token, query)).data).toEqual({ memberTotals: [] })
    expect((await graphql(service, token, query, { teams: [team.slug] })).errors[0]?.extensions?.code).toBe('two_factor_required')
  })

  test('without a group are one row, or none if nothing is counted', async () => {
    const query = '{ memberTotals(groupBy: []) { team { slug } role count } invitationTotals(groupBy: []) { count } }'
    expect((await graphql(service, token, query)).data).toEqual({
      memberTotals: [{ team: null, role: null, count: 3 }],
      invitationTotals: [],
    })
  })
})

describe('the number of statements', () => {
  const selection = `memberTotals { role count } tokenTotals(groupBy: [SCOPE]) { count }
    invitationTotals { status count }`
  const count = async (credential: string, query: string) => {
    service.statements.length = 0
    expect((await graphql(service, credential, query)).errors).toEqual([])
    return service.statements.filter((text) => !text.includes('last_used_at = u.at')).slice(1).length
  }
  const withTeams = async (number: number) => {
    const person = await createUser(database)
    for (let i = 0; i < number; i++) await join(database, await createTeam(database), person, 'owner')
    return personalToken(database, person)
  }

  test('of totals does not depend on the number of teams, over teams or in a list of teams', async () => {
    const [one, fifty] = [await withTeams(1), await withTeams(50)]
    for (const query of [
      `{ invoiceTotals { total apps { subtotal } } ${selection} }`,
      `{ teams { slug invoiceTotals { total overdue } ${selection} } }`,
    ]) {
      expect(await count(one, query)).toBe(4)
      // One more, which reads the teams: authentication reads the first ten only.
      expect(await count(fifty, query)).toBe(5)
    }
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import {
  AuditTimelineDocument,
  InvoicesByMonthDocument,
  TeamsOverviewDocument,
  TokenInventoryDocument,
} from '../../../src/graphql/generated/dashboards.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'
import { clients } from '../../support/graphql/dashboards/clients.ts'
import { variables } from '../../support/graphql/dashboards/documents.ts'
import { createOwnerOfTeams } from '../../support/graphql/dashboards/teams.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let owner: User
let joined: Team
let token: string
beforeAll(async () => {
  ;({ owner, token } = await createOwnerOfTeams(service, 2))
  joined = await createTeam(database, { slug: 'a-joined', name: 'Joined' })
  await join(database, joined, owner, 'member')
})

describe.each(Object.entries(clients))('with %s, a dashboard that is refused in part shows the rest', (_, client) => {
  test('to a member who may not see the invoices and invitations of a team', async () => {
    const { data, errorPaths } = await client({ url: service.url, token }, TeamsOverviewDocument, {})
    expect(errorPaths).toEqual(['teams.0.invitationTotals', 'teams.0.invoiceTotals'])
    const [first, ...others] = data?.teams ?? []
    expect(first).toMatchObject({
      slug: 'a-joined',
      membersConnection: { totalCount: 1 },
      invitationTotals: null,
      invoiceTotals: null,
    })
    expect(others.map(({ invoiceTotals }) => invoiceTotals?.length)).toEqual([2, 2])
  })

  test('of the other teams if the tokens of one team are refused', async () => {
    const tokens = await client({ url: service.url, token }, TokenInventoryDocument, variables['token-inventory'])
    expect(tokens.errorPaths).toEqual(['teams.0.expiring', 'teams.0.tokenTotals', 'teams.0.unused'])
    expect(tokens.data?.teams?.map(({ tokenTotals }) => tokenTotals?.length)).toEqual([undefined, 1, 1])
  })

  test('of the audit timeline: the teams whose audit entries the caller may read', async () => {
    const { data, errorPaths } = await client({ url: service.url, token }, AuditTimelineDocument, variables['audit-timeline'])
    expect(errorPaths).toEqual([])
    const names = data?.auditEntriesConnection?.nodes.map(({ team }) => team?.name)
    expect(new Set(names)).toEqual(new Set(['Team 1', 'Team 2']))
  })

  test('of the invoice dashboard: the names of teams if the credential has no scope for invoices', async () => {
    const limited = await personalToken(database, owner, { scopes: ['acct:team:read', 'acct:team:members:read'] })
    const overview = await client({ url: service.url, token: limited }, TeamsOverviewDocument, {})
    expect(overview.data?.teams?.map(({ name }) => name).toSorted()).toEqual(['Joined', 'Team 1', 'Team 2'])
    expect(overview.data?.teams?.map(({ invoiceTotals }) => invoiceTotals)).toEqual([null, null, null])
    const { data, errorPaths } = await client({ url: service.url, token: limited }, InvoicesByMonthDocument, variables['invoices-by-month'])
    expect([data?.byTeam ?? null, errorPaths]).toEqual([null, ['byTeam', 'invoiceTotals']])
  })
})

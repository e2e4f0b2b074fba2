import { beforeAll, describe, expect, test } from 'vitest'
import {
  AuditTimelineDocument,
  InvoicesByMonthDocument,
  MembersByRoleDocument,
  TeamsOverviewDocument,
  TokenInventoryDocument,
} from '../../../src/graphql/generated/dashboards.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { clients } from '../../support/graphql/dashboards/clients.ts'
import { variables } from '../../support/graphql/dashboards/documents.ts'
import { createOwnerOfTeams } from '../../support/graphql/dashboards/teams.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let owner: User
let request: { url: string; token: string }
beforeAll(async () => {
  const created = await createOwnerOfTeams(service, 50)
  owner = created.owner
  request = { url: service.url, token: created.token }
  // The teams of somebody else, which no number contains.
  await createOwnerOfTeams(service, 2)
})

/** The rows of a statement about the teams of the owner, `t`. */
async function rowsOf(statement: string, ...values: unknown[]): Promise<object[]> {
  const text = `WITH t AS (SELECT t.* FROM teams t JOIN members own ON own.team_id = t.id AND own.user_id = $1) ${statement}`
  return (await service.database.pool.query(text, [owner.id, ...values])).rows
}

const sorted = (rows: readonly unknown[] | null | undefined) => (rows ?? []).map((row) => JSON.stringify(row)).toSorted()
const capitals = (column: string) => `upper(${column}::text) AS ${column}`

describe('the numbers of a dashboard of 50 teams are those of the database', () => {
  test('for the teams overview', async () => {
    const { data } = await clients.urql(request, TeamsOverviewDocument, {})
    const invitedTo = ({ invitationTotals }: NonNullable<NonNullable<typeof data>['teams']>[number]) =>
      invitationTotals?.find(({ status }) => status === 'PENDING')?.count ?? 0
    const shown = data?.teams?.map((team) => [team.slug, team.membersConnection?.totalCount, invitedTo(team)])
    const counts = await rowsOf(`SELECT json_build_array(t.slug, (SELECT count(*) FROM members m WHERE m.team_id = t.id),
      (SELECT count(*) FROM invitations i WHERE i.team_id = t.id AND i.status = 'pending' AND i.expires_at > now())) AS row FROM t`)
    expect(shown).toHaveLength(50)
    expect(sorted(shown)).toEqual(sorted(counts.map((each) => Object.values(each)[0])))
    const amounts = data?.teams?.flatMap(({ slug, invoiceTotals }) =>
      (invoiceTotals ?? []).map((row) => [slug, row.currency, row.outstanding, row.outstandingCount, row.overdue, row.overdueCount]),
    )
    const due = 'subtotal + tax - amount_paid'
    const sums = await rowsOf(`SELECT json_build_array(t.slug, currency, sum(${due}) FILTER (WHERE status = 'open'),
      count(*) FILTER (WHERE status = 'open'), coalesce(sum(${due}) FILTER (WHERE status = 'open' AND due_date < (now() AT TIME ZONE 'UTC')::date), 0),
      count(*) FILTER (WHERE status = 'open' AND due_date < (now() AT TIME ZONE 'UTC')::date)) AS row
      FROM t JOIN invoices i ON i.team_id = t.id WHERE status <> 'void' GROUP BY t.slug, currency`)
    expect(sorted(amounts)).toEqual(sorted(sums.map((each) => Object.values(each)[0])))
  })

  test('for the members by role', async () => {
    const { data } = await clients['Apollo Client'](request, MembersByRoleDocument, {})
    const all = `FROM t JOIN members m ON m.team_id = t.id`
    const inAll = await rowsOf(`SELECT ${capitals('role')}, count(*)::int ${all} GROUP BY role`)
    expect(sorted(data?.memberTotals?.map(({ role, count }) => ({ role, count })))).toEqual(sorted(inAll))
    const shown = data?.teams?.flatMap(({ slug, memberTotals }) => (memberTotals ?? []).map(({ role, count }) => ({ slug, role, count })))
    expect(sorted(shown)).toEqual(sorted(await rowsOf(`SELECT slug, ${capitals('role')}, count(*)::int ${all} GROUP BY slug, role`)))
    const owners = data?.teams?.flatMap(({ slug, owners }) => (owners?.nodes ?? []).map(({ userId }) => ({ slug, userId })))
    expect(sorted(owners)).toEqual(sorted(await rowsOf(`SELECT slug, m.user_id AS "userId" ${all} WHERE role = 'owner'`)))
  })

  test('for the invoices by month, application and status', async () => {
    const { data } = await clients.Relay(request, InvoicesByMonthDocument, variables['invoices-by-month'])
    const since = variables['invoices-by-month'].since
    const invoices = 'FROM t JOIN invoices i ON i.team_id = t.id WHERE invoice_date >= $2::date'
    const expected = `SELECT to_char(invoice_date, 'YYYY-MM-01') AS month, ${capitals('application')}, ${capitals('status')}, currency,
      count(*)::int, sum(subtotal + tax)::int AS total ${invoices} GROUP BY 1, i.application, i.status, currency`
    const shown = data?.invoiceTotals?.map((row) => ({
      month: row.month,
      application: row.appId,
      status: row.status,
      currency: row.currency,
      count: row.count,
      total: row.total,
    }))
    expect(sorted(shown)).toEqual(sorted(await rowsOf(expected, since)))
    const byTeam = data?.byTeam?.map(({ team, currency, count, total }) => ({ slug: team?.slug, currency, count, total }))
    const ofTeams = `SELECT slug, currency, count(*)::int, sum(subtotal + tax)::int AS total ${invoices} AND status <> 'void' GROUP BY slug, currency`
    expect(sorted(byTeam)).toEqual(sorted(await rowsOf(ofTeams, since)))
  })

  test('for the token inventory', async () => {
    const { expiresBefore, unusedSince } = variables['token-inventory']
    const { data } = await clients['graphql-request'](request, TokenInventoryDocument, variables['token-inventory'])
    const live = `FROM t JOIN access_tokens a ON a.team_id = t.id WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`
    const counts = data?.teams?.map(({ slug, tokenTotals }) => ({ slug, ...tokenTotals?.[0] }))
    const expected = `SELECT slug, count(*)::int, count(*) FILTER (WHERE last_used_at IS NULL)::int AS "neverUsed",
      count(*) FILTER (WHERE last_used_at IS NULL OR last_used_at < $2::timestamptz)::int AS "unusedFor90Days",
      count(*) FILTER (WHERE expires_at < $3::timestamptz)::int AS "expiringWithin30Days" ${live} GROUP BY slug`
    expect(sorted(counts)).toEqual(sorted(await rowsOf(expected, unusedSince, expiresBefore)))
    const named = (list: 'expiring' | 'unused') =>
      data?.teams?.flatMap((team) => (team[list]?.nodes ?? []).map(({ tokenId }) => ({ slug: team.slug, tokenId })))
    const tokens = `SELECT slug, a.id AS "tokenId" ${live}`
    expect(sorted(named('expiring'))).toEqual(sorted(await rowsOf(`${tokens} AND expires_at < $2::timestamptz`, expiresBefore)))
    const unused = `${tokens} AND (last_used_at IS NULL OR last_used_at < $2::timestamptz)`
    expect(sorted(named('unused'))).toEqual(sorted(await rowsOf(unused, unusedSince)))
  })

  test('for the audit timeline', async () => {
    const { data } = await clients.urql(request, AuditTimelineDocument, variables['audit-timeline'])
    const timeline = data?.auditEntriesConnection
    const shown = timeline?.nodes.map(({ team, entryId, actorName, subject }) => ({ slug: team?.slug, entryId, actorName, subject }))
    const entries = 'FROM t JOIN audit_entries e ON e.team_id = t.id WHERE at >= $2::timestamptz'
    const latest = `SELECT slug, e.id AS "entryId", actor_name AS "actorName", subject ${entries} ORDER BY at DESC, e.id DESC LIMIT 100`
    const { since } = variables['audit-timeline']
    expect(shown).toEqual(await rowsOf(latest, since))
    expect([{ count: timeline?.totalCount }]).toEqual(await rowsOf(`SELECT count(*)::int ${entries}`, since))
  })
})

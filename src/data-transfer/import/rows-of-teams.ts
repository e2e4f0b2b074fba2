import type { ClientBase } from 'pg'
import { recordTypes } from '../records/record-types.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Resolved } from './chunk.ts'
import type { Report } from './report.ts'
import { recordset } from './upsert.ts'

/** Types of records of which a team can have a limited number. */
type LimitedName = 'webhook' | 'domain' | 'identity_provider' | 'group_role'

const nouns: Readonly<Record<LimitedName, string>> = {
  webhook: 'webhook',
  domain: 'domain',
  identity_provider: 'identity provider',
  group_role: 'group role',
}

/** Reports a record that the import refuses. Returns false. */
export const refuse = (report: Report, type: RecordType, { line, record }: Resolved, member: string, message: string): false => {
  report.refuse({ line, subject: type.getSubject(record), member, message })
  return false
}

/** Reports records that would move a row to another team, or give a team more than `max` rows, and returns the others. */
export async function withinTeams<Name extends LimitedName>(
  session: ClientBase,
  name: Name,
  max: number,
  entries: readonly Resolved<Name>[],
  report: Report,
): Promise<readonly Resolved<Name>[]> {
  if (entries.length === 0) return entries
  const type: RecordType = recordTypes[name]
  const teamOfRow = ({ row }: Resolved) => String(row['team_id'])
  const keys = Object.keys(type.keyColumns).map((column) => `e."${column}" = i."${column}"`)
  const { rows: stored } = await session.query<{ n: number; teamId: string | null }>(
    `SELECT i.n, e.team_id AS "teamId" FROM ${recordset(type.keyColumns)} JOIN ${type.table} e ON ${keys.join(' AND ')}`,
    [JSON.stringify(entries.map(({ row }) => row))],
  )
  const teamByRow = new Map(stored.map(({ n, teamId }) => [n, teamId]))
  const teams = [...new Set(entries.flatMap((entry, n) => (teamByRow.has(n) ? [] : teamOfRow(entry))))].toSorted()
  // This is the lock of a new row. It is NO KEY, because foreign keys of other transactions hold the row in KEY SHARE.
  await session.query('SELECT 1 FROM teams WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [teams])
  const counted = await session.query<{ teamId: string; count: number }>(
    `SELECT team_id AS "teamId", count(*)::int AS count FROM ${type.table} WHERE team_id = ANY ($1::uuid[]) GROUP BY 1`,
    [teams],
  )
  const counts = new Map(counted.rows.map(({ teamId, count }) => [teamId, count]))
  return entries.filter((entry, n) => {
    const teamId = teamOfRow(entry)
    if (teamByRow.has(n))
      return teamByRow.get(n) === teamId || refuse(report, type, entry, 'team', `The ${nouns[name]} does not belong to this team.`)
    const count = (counts.get(teamId) ?? 0) + 1
    if (count > max) return refuse(report, type, entry, 'team', `A team can have at most ${max} ${nouns[name]}s.`)
    counts.set(teamId, count)
    return true
  })
}

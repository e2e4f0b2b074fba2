import type { ClientBase } from 'pg'
import QueryStream from 'pg-query-stream'
import { rfc3339 } from '../../../prisma/connection/row-types.ts'
import { inChunks } from './destination.ts'

export interface AuditFilter {
  teamId: string | null
  since: Date | null
  until: Date | null
}

interface Row {
  at: string
  [member: string]: unknown
}

// The entries lack the credential's identifier, as in GraphQL. One statement is one snapshot.
const selectEntries = `SELECT to_char(a.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') || '+00' AS at, a.action,
    json_build_object('kind', a.actor_kind, 'name', a.actor_name, 'user_id', a.actor_user_id) AS actor, a.authentication_method,
    a.client_name, t.slug AS team, a.subject, a.subject_name, a.before, a.after, a.reason, a.request_id
  FROM audit_entries a LEFT JOIN teams t ON t.id = a.team_id
  WHERE ($1::uuid IS NULL OR a.team_id = $1) AND ($2::timestamptz IS NULL OR a.at >= $2) AND ($3::timestamptz IS NULL OR a.at < $3)
  ORDER BY a.at, a.id`

/** Returns the audit log as chunks of lines, read only as fast as the consumer takes them, and the number of entries so far. */
export function exportAudit(session: ClientBase, { teamId, since, until }: AuditFilter) {
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    const rows: AsyncIterable<Row> = session.query(
      new QueryStream(selectEntries, [teamId, since, until], { batchSize: 500, highWaterMark: 500 }),
    )
    for await (const { at, ...row } of rows) {
      count += 1
      yield `${JSON.stringify({ at: rfc3339(at), ...row })}\n`
    }
  }
  return { chunks: inChunks(lines()), count: () => count }
}

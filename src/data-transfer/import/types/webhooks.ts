import type { ClientBase } from 'pg'
import { maxWebhooks } from '../../../../schema/webhooks/rules.ts'
import { webhook } from '../../records/webhook.ts'
import type { Row } from '../../records/storage.ts'
import type { Entry } from '../chunk.ts'
import type { Report } from '../report.ts'
import { recordset } from '../upsert.ts'
import type { Written } from '../upsert.ts'

// The lock of a new webhook. NO KEY, because foreign keys of other transactions hold the row in KEY SHARE.
const lockTeams = 'SELECT 1 FROM teams WHERE slug = ANY ($1) ORDER BY id FOR NO KEY UPDATE'
const findStored = `SELECT w.id, t.slug AS team FROM webhooks w LEFT JOIN teams t ON t.id = w.team_id WHERE w.id = ANY ($1::uuid[])`
const countOfTeams = `SELECT t.slug AS team, count(*)::int AS count FROM webhooks w JOIN teams t ON t.id = w.team_id WHERE t.slug = ANY ($1) GROUP BY 1`

/** Reports records that would move a webhook to another team, or give a team too many, and returns the others. */
export async function refuseWebhooks(
  session: ClientBase,
  entries: readonly Entry<'webhook'>[],
  report: Report,
): Promise<readonly Entry<'webhook'>[]> {
  if (entries.length === 0) return entries
  const stored = await session.query<{ id: string; team: string | null }>(findStored, [entries.map(({ record }) => record.id)])
  const teamOf = new Map(stored.rows.map(({ id, team }) => [id, team]))
  const teams = [...new Set(entries.flatMap(({ record }) => (teamOf.has(record.id) ? [] : record.team)))]
  if (teams.length > 0) await session.query(lockTeams, [teams])
  const counted = await session.query<{ team: string; count: number }>(countOfTeams, [teams])
  const counts = new Map(counted.rows.map(({ team, count }) => [team, count]))
  return entries.filter(({ line, record }) => {
    const { id, team } = record
    const refuse = (member: string, message: string) => {
      report.refuse({ line, subject: webhook.subjectOf(record), member, message })
      return false
    }
    if (teamOf.has(id)) return teamOf.get(id) === team || refuse('team', 'The webhook does not belong to this team.')
    const count = (counts.get(team) ?? 0) + 1
    if (count > maxWebhooks) return refuse('team', `A team can have at most ${maxWebhooks} webhooks.`)
    counts.set(team, count)
    return true
  })
}

/**
 * Creates or updates webhooks. A new one has no secret and is disabled: its owner creates a secret, which no file contains, and then enables it.
 * It continues with what happens after the import.
 */
const write = `
  WITH incoming AS (SELECT * FROM ${recordset({ ...webhook.keyColumns, ...webhook.otherColumns })}),
  merged AS (
    SELECT i.*, e.id IS NULL AS created FROM incoming i LEFT JOIN webhooks e ON e.id = i.id
    WHERE e.id IS NULL OR (e.url, e.description, e.types, e.created_at) IS DISTINCT FROM (i.url, i.description, i.types, coalesce(i.created_at, e.created_at))
  ),
  created AS (
    INSERT INTO webhooks (id, team_id, url, description, types, secret, created_at, disabled_at, disabled_reason,
      events_since, position_at, position_id, position_part)
    SELECT id, team_id, url, description, types, '', coalesce(created_at, now()), now(), 'request',
      now(), now(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 0
    FROM merged WHERE created
  ),
  updated AS (
    UPDATE webhooks w SET url = m.url, description = m.description, types = m.types, created_at = coalesce(m.created_at, w.created_at), updated_at = now()
    FROM merged m WHERE w.id = m.id AND NOT m.created
  )
  SELECT n, created FROM merged`

export async function writeWebhooks(session: ClientBase, entries: readonly { row: Row }[]): Promise<Written[]> {
  const { rows } = await session.query<Written>(write, [JSON.stringify(entries.map(({ row }) => row))])
  return rows
}

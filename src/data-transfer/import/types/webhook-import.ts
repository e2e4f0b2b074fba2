import type { ClientBase } from 'pg'
import { webhookRecord } from '../../records/types/webhook-record.ts'
import type { Row } from '../../records/storage.ts'
import { recordset } from '../upsert.ts'
import type { Written } from '../upsert.ts'

/**
 * Creates or updates webhooks. A new one has no secret and is disabled. Its owner creates a secret, which no file contains, and then
 * enables it. Its position is after the import.
 */
const write = `
  WITH incoming AS (SELECT * FROM ${recordset({ ...webhookRecord.keyColumns, ...webhookRecord.otherColumns })}),
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

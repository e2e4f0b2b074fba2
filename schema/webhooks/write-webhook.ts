import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Webhook } from '../../prisma/generated/client/client.ts'
import { refused } from '../core/validation.ts'
import { horizon, positionAt } from '../events/stream.ts'
import { maxWebhooks } from './rules.ts'

/** The columns of the position of a webhook. */
export const positionColumns = 'position_transaction_id, position_at, position_id, position_part'
// A webhook starts before every transaction that is not committed yet (docs/decisions/webhooks.md#positions).
const currentPosition = positionAt(horizon)

type NewWebhook = Pick<Webhook, 'id' | 'teamId' | 'url' | 'description' | 'types' | 'createdAt' | 'updatedAt'> & { secret: Uint8Array }

const insert = statement<object, [string, string | null, string, string, readonly string[], Uint8Array, Date]>(
  'insert_webhook',
  `INSERT INTO webhooks (id, team_id, url, description, types, secret, created_at, updated_at, events_since, ${positionColumns})
   SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text[], $6::bytea, $7::timestamptz, $7::timestamptz, $7::timestamptz, ${currentPosition}
   WHERE (SELECT count(*) FROM webhooks WHERE team_id = $2::uuid) < ${maxWebhooks} RETURNING id`,
)

/** Stores a webhook. The team must be locked, so that two requests cannot exceed the limit together. */
export async function insertWebhook(transaction: Transaction, webhook: NewWebhook): Promise<void> {
  const { id, teamId, url, description, types, secret, createdAt } = webhook
  const rows = await insert(transaction, id, teamId, url, description, types, secret, createdAt)
  if (rows.length === 0) throw refused({ url: [`A team can have at most ${maxWebhooks} webhooks. Delete one first.`] })
}

/** Moves a webhook to the current position, which discards undelivered events. */
export async function skipToCurrentPosition(transaction: Transaction, id: string, now: Date): Promise<void> {
  await Promise.all([deleteRetries(transaction, id), moveToCurrentPosition(transaction, id, now)])
}

/** Suspends the retries of a webhook that is disabled. */
export const pauseRetries = statement<object, [id: string]>(
  'pause_webhook_retries',
  `UPDATE webhook_retries SET due_at = 'infinity' WHERE webhook_id = $1`,
)
/** Makes the retries due when the webhook is enabled again; they then have three days. */
export const resumeRetries = statement<object, [id: string, now: Date]>(
  'resume_webhook_retries',
  'UPDATE webhook_retries SET due_at = $2::timestamptz, first_at = $2::timestamptz WHERE webhook_id = $1',
)

const deleteRetries = statement<object, [id: string]>('delete_webhook_retries', 'DELETE FROM webhook_retries WHERE webhook_id = $1')
const moveToCurrentPosition = statement<object, [id: string, now: Date]>(
  'move_webhook_to_current_position',
  `UPDATE webhooks SET events_since = $2::timestamptz, (${positionColumns}) = (SELECT ${currentPosition}) WHERE id = $1`,
)

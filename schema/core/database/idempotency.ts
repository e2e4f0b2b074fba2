import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'

/** Time for which a key is remembered. */
const keyMilliseconds = 24 * 3_600_000

/** Thrown instead of a second change: the request was answered before, by the same answer as now. */
export class AnsweredBefore extends Error {}

/**
 * Records the key of an idempotent request in the transaction of its change, so that a change that fails leaves no key. Of two
 * requests at once, the second waits here until the first has committed. Throws `AnsweredBefore` for the same request, and
 * `validation_failed` for another one under the key.
 */
export async function recordIdempotencyKey(transaction: Transaction, { idempotency, now }: Context): Promise<void> {
  if (!idempotency) return
  const { keyHash, requestHash } = idempotency
  const expiresAt = new Date(now().getTime() + keyMilliseconds)
  if ((await insertKey(transaction, keyHash, requestHash, expiresAt, now())).length > 0) return
  if ((await findKey(transaction, keyHash, requestHash)).length > 0) throw new AnsweredBefore()
  throw invalid({ 'Idempotency-Key': ['The Idempotency-Key field was used before, for another request.'] })
}

/** Returns a row if the key is new, or has expired. */
const insertKey = statement<object, [keyHash: Uint8Array, requestHash: Uint8Array, expiresAt: Date, now: Date]>(
  'insert_idempotency_key',
  `INSERT INTO idempotency_keys AS k (key_hash, request_hash, expires_at) VALUES ($1, $2, $3)
   ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, expires_at = excluded.expires_at WHERE k.expires_at <= $4
   RETURNING key_hash`,
)
/** Returns a row if the key belongs to this request. */
const findKey = statement<object, [keyHash: Uint8Array, requestHash: Uint8Array]>(
  'idempotency_key',
  'SELECT key_hash FROM idempotency_keys WHERE key_hash = $1 AND request_hash = $2',
)

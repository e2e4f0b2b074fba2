import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../context.ts'

/** Time for which a key is stored by default. */
const keyMilliseconds = 24 * 3_600_000

/** Thrown instead of making the change a second time, because the request already succeeded. */
export class RepeatedRequest extends Error {
  /** The identifier of the object that the request created, or null. */
  readonly resultId: string | null

  constructor(resultId: string | null) {
    super('the request was answered before')
    this.resultId = resultId
  }
}

/**
 * Records the key of an idempotent request in the transaction of its change, so that a change that fails leaves no key. If two requests
 * arrive at once, the second waits here until the first has committed. Throws `RepeatedRequest` for the same request, and `usedBefore` for
 * another one under the key.
 */
export async function recordIdempotencyKey(transaction: Transaction, { idempotency, now }: Context): Promise<void> {
  if (!idempotency) return
  const { keyHash, requestHash, resultId = null } = idempotency
  const { expiresAt = new Date(now().getTime() + keyMilliseconds) } = idempotency
  if ((await insertKey(transaction, keyHash, requestHash, resultId, expiresAt, now())).length > 0) return
  const [first] = await findKey(transaction, keyHash, requestHash)
  if (first) throw new RepeatedRequest(first.resultId)
  throw idempotency.usedBefore()
}

/** Returns a row if the key is new, or has expired. */
const insertKey = statement<object, [keyHash: Uint8Array, requestHash: Uint8Array, resultId: string | null, expiresAt: Date, now: Date]>(
  'insert_idempotency_key',
  `INSERT INTO idempotency_keys AS k (key_hash, request_hash, result_id, expires_at) VALUES ($1, $2, $3::uuid, $4)
   ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, result_id = excluded.result_id, expires_at = excluded.expires_at
   WHERE k.expires_at <= $5 RETURNING key_hash`,
)
/** Returns a row if the key belongs to this request. */
const findKey = statement<{ resultId: string | null }, [keyHash: Uint8Array, requestHash: Uint8Array]>(
  'idempotency_key',
  'SELECT result_id AS "resultId" FROM idempotency_keys WHERE key_hash = $1 AND request_hash = $2',
)

import type pg from 'pg'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Passkey } from '../../../prisma/generated/client/client.ts'
import type { Context } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { parseIdentifier } from '../../core/global-id.ts'

/** Locks a passkey of the signed-in user until the transaction ends. Throws `not_found` for any other identifier. */
export async function lockOwnPasskey(transaction: Transaction, context: Context, given: string): Promise<Passkey> {
  const id = parseIdentifier(given, ['Passkey'])
  if (!isIdentifier(id)) throw notFound()
  const values = [id, requirePerson(context).user.id]
  // pg reads a 64-bit integer as text.
  const { rows }: pg.QueryResult<Omit<Passkey, 'counter'> & { counter: string }> = await transaction.query({
    name: 'lock_own_passkey',
    text: ownPasskey,
    values,
  })
  if (!rows[0]) throw notFound()
  return { ...rows[0], counter: BigInt(rows[0].counter) }
}

const ownPasskey = `SELECT id, user_id AS "userId", name, credential_id AS "credentialId", public_key AS "publicKey", counter, transports,
    is_backed_up AS "isBackedUp", created_at AS "createdAt", owner_access_team_ids AS "ownerAccessTeamIds", last_used_at AS "lastUsedAt"
  FROM passkeys WHERE id = $1 AND user_id = $2 FOR UPDATE`

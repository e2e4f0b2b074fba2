import { randomUUID } from 'node:crypto'
import type { User } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import type { EndedSession } from '../../core/ports.ts'
import { placeholderAddress } from '../../core/mails/placeholder-address.ts'
import { endUserSessions } from '../end-sessions.ts'

// An account whose address was never verified may belong to an attacker who waits for the owner of the address ("account pre-hijacking",
// Sudhodanan and Paverd, 2022). When the owner proves the address in another way, only the memberships of the account are kept, because an
// import or an operator created them for the address.

const moveMemberships = statement<object, [from: string, to: string]>(
  'move_memberships',
  'UPDATE members SET user_id = $2 WHERE user_id = $1',
)
const deleteAccount = statement<object, [id: string]>('delete_unverified_account', 'DELETE FROM users WHERE id = $1 AND NOT email_verified')

/**
 * Deletes a locked account with an unverified address, and gives the address and the memberships to the account that `create` inserts. Returns
 * that account and the sessions that ended.
 */
export async function replaceUnverified<Created extends { id: string; name: string }>(
  transaction: Transaction,
  context: Context,
  old: Pick<User, 'id' | 'name' | 'email' | 'emailVerified'>,
  create: () => Promise<Created>,
): Promise<{ created: Created; endedSessions: EndedSession[] }> {
  if (old.emailVerified) throw new Error('the address of the account is verified')
  // The new address is not the usual placeholder of the old account, because an import can have given that to another account.
  await updateRows(transaction, 'users', { id: old.id }, { email: placeholderAddress(randomUUID()) })
  const created = await create()
  const [, endedSessions] = await Promise.all([
    moveMemberships(transaction, old.id, created.id),
    endUserSessions(transaction, old.id),
    deleteAccount(transaction, old.id),
  ])
  writeAuditEntry(transaction, context, 'replaceUnverifiedAccount', {
    subject: old.id,
    subjectName: old.name,
    before: { email: old.email, name: old.name },
    after: { replacedBy: created.id },
  })
  return { created, endedSessions }
}

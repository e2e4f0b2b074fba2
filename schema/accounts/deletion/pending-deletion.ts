import type { User } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'

// A user who deletes the account can undo it by signing in (docs/decisions/accounts.md#deletion). Meanwhile the account is disabled, so
// that everything that asks for an enabled account refuses it. The two instants are equal only if the user, and not an operator, disabled
// it.

/** Days in which the deletion of an account can be undone. */
export const deletionDays = 14

/** Returns when an account is erased whose user requests the deletion at an instant. */
export const erasureAfter = (at: Date): Date => new Date(at.getTime() + deletionDays * 86_400_000)

/** Returns true if an account is disabled only because its user deletes it. */
export const isPendingDeletion = ({ disabledAt, deletionRequestedAt }: Pick<User, 'disabledAt' | 'deletionRequestedAt'>): boolean =>
  deletionRequestedAt !== null && disabledAt?.getTime() === deletionRequestedAt.getTime()

/** The Prisma condition for accounts whose credentials are read at a sign-in: enabled accounts, and those that a sign-in may restore. */
export const mayBeSignedIn = { OR: [{ disabledAt: null }, { deletionRequestedAt: { not: null } }] }

interface Restored {
  id: string
  name: string
  emailVerified: boolean
}

const restore = statement<Restored, [userId: string, now: Date]>(
  'restore_account',
  `UPDATE users SET disabled_at = NULL, deletion_requested_at = NULL, updated_at = $2
   WHERE id = $1 AND disabled_at = deletion_requested_at RETURNING id, name, email_verified AS "emailVerified"`,
)

/** Undoes the deletion of an account whose user has authenticated. Returns true if there was a deletion to undo. */
export const undoDeletion = (context: Context, userId: string): Promise<boolean> =>
  inTransaction(context.database, async (transaction) => {
    const [user] = await restore(transaction, userId, context.now())
    if (!user) return false
    const principal = { kind: 'user', authenticationMethod: 'session', user, credentialId: null } as const
    writeAuditEntry(transaction, { ...context, principal }, 'undoAccountDeletion', { subject: userId })
    await sendNotice(transaction, { ...context, principal: null }, user, 'account-restored', {})
    return true
  })

/** Disables an account until it is erased. */
export async function requestDeletion(transaction: Parameters<typeof updateRows>[0], context: Context, id: string): Promise<Date> {
  const at = context.now()
  await updateRows(transaction, 'users', { id }, { disabledAt: at, deletionRequestedAt: at, updatedAt: at })
  return at
}

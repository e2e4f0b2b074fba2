import type { User } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { Recorder } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'
import { endLinks } from '../mail-link.ts'

// The domain of an address belongs to a team. Its directory or identity provider says that the address belongs to another person now.

// The new address has a random part, because an import can have given the usual placeholder of the account to another account.
const removeAddress = statement<object, [id: string, now: Date]>(
  'remove_address_of_account',
  `UPDATE users SET email_verified = false, updated_at = $2,
     email = CASE WHEN EXISTS (SELECT FROM users WHERE email = $1::uuid || '@no-address.invalid') THEN gen_random_uuid() ELSE $1::uuid END
       || '@no-address.invalid' WHERE id = $1`,
)

interface Move<Created> {
  /** The locked account that has the address. */
  from: Pick<User, 'id' | 'email'>
  /** The team that has verified the domain of the address. */
  team: { id: string; name: string; slug: string }
  /** Creates the account that gets the address. */
  create(): Promise<Created>
  /** Returns the principal that the audit entry records. */
  actor(created: Created): Recorder['principal']
}

/**
 * Moves the address of an account to a new one. The other account keeps everything else, but links that were mailed to the address no
 * longer open it. The audit entry and the mail to the owners of the team contain only the address, because the team may not see anything
 * else of the other account.
 */
export async function moveAddress<Created extends { id: string }>(
  transaction: Transaction,
  context: Context,
  { from: { id: subject, email }, team, create, actor }: Move<Created>,
): Promise<Created> {
  endLinks(transaction, context, subject, 'verify_email', 'reset_password', 'prove_account', 'sign_in')
  await removeAddress(transaction, subject, context.now())
  const created = await create()
  const moved = { teamId: team.id, subject, subjectName: email, before: { email }, after: { movedTo: created.id } }
  writeAuditEntry(transaction, { ...context, principal: actor(created) }, 'moveAddress', moved)
  const unattributed = { ...context, principal: null, browser: null }
  await sendNoticeToOwners(transaction, unattributed, team.id, 'address-moved', { team: team.name, slug: team.slug, email })
  return created
}

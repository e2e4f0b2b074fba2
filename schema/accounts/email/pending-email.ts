import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import { lockCaller } from '../../core/database/locks.ts'
import { sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { EmailPayload } from './email-payload.ts'
import { endLinks } from '../mail-link.ts'

/** Selects the address of the live link that confirms a new address of an account. Each new link ends the previous one. */
const selectPendingEmail = statement<{ email: string }, [userId: string, now: Date]>(
  'pending_email',
  `SELECT email FROM mail_links WHERE user_id = $1 AND kind = 'change_email' AND used_at IS NULL AND expires_at > $2
   ORDER BY created_at DESC LIMIT 1`,
)

builder.objectField(ViewerType, 'pendingEmail', (t) =>
  t.string({
    description: 'The new email address that the signed-in user requested and has not confirmed yet, or null. For account-site sessions.',
    nullable: true,
    requires: sessionOnly,
    resolve: async (_, __, context) => {
      const [pending] = await selectPendingEmail(context.database.pool, requirePerson(context).user.id, context.now())
      return pending?.email ?? null
    },
  }),
)

builder.mutationField('cancelEmailChange', (t) =>
  t.field({
    description: 'Cancels the requested change of the email address: the link that was emailed to the new email address stops working.',
    type: EmailPayload,
    requires: sessionOnly,
    resolve: (_, __, context, info) =>
      change(context, info, async (transaction) => {
        const { id, email } = await lockCaller(transaction, requirePerson(context).user.id)
        const [pending] = await selectPendingEmail(transaction, id, context.now())
        endLinks(transaction, context, id, 'change_email')
        return { result: { email }, subject: id, before: { asked: pending?.email ?? null }, after: { asked: null } }
      }),
  }),
)

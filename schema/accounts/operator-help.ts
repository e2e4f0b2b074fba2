import type { EndedSession } from '../core/ports.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { User } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { change } from '../core/audit/audit.ts'
import type { Change } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { lockAccount } from '../core/database/locks.ts'
import { invalid } from '../core/errors.ts'
import { supportOnly } from '../core/requires.ts'
import { parse } from '../core/validation.ts'
import { endAllTrust, endUserSessions } from './end-sessions.ts'
import { sendMailLink } from './mail-link.ts'
import { unknownAccount, UserInput, UserPayload, userRules } from './user.ts'

// How operators and staff help a user with the account.

/** Locks the account of the input, and changes it. The mail about an act of staff goes to its user. */
function changeAccount(
  context: Context,
  info: { fieldName: string },
  input: unknown,
  work: (transaction: Transaction, user: User) => Promise<Partial<Change<unknown>> & { endedSessions?: EndedSession[] }>,
) {
  const { email } = parse(userRules, input)
  return change(context, info, async (transaction) => {
    const user = await lockAccount(transaction, { email })
    if (!user) throw unknownAccount()
    return { subject: user.id, subjectName: user.name, accountId: user.id, ...(await work(transaction, user)), result: { user } }
  })
}

builder.mutationFields((t) => ({
  endUserSessions: t.field({
    description: 'Ends all sessions of a user. No browser is a trusted device of theirs any more. For operators and staff.',
    type: UserPayload,
    requires: supportOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      changeAccount(context, info, input, async (transaction, { id }) => {
        const [endedSessions, trustedDevices] = await Promise.all([endUserSessions(transaction, id), endAllTrust(transaction, id)])
        const before = { sessions: endedSessions.length, trustedDevices }
        return { before, endedSessions, isUnchanged: endedSessions.length === 0 && trustedDevices === 0 }
      }),
  }),
  resendUserVerification: t.field({
    description:
      'Emails a user a new link that verifies the email address of the account; the previous link stops working. For operators and staff.',
    type: UserPayload,
    requires: supportOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      changeAccount(context, info, input, async (transaction, user) => {
        const { email, emailVerified } = user
        if (emailVerified) throw invalid({ email: ['This email address is already verified.'] })
        await sendMailLink(transaction, context, { kind: 'verify_email', mail: 'verify-email', user, email })
        return { after: { email } }
      }),
  }),
}))

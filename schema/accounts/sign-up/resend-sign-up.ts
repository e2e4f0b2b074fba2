import type { User } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { countSignUp, requireBrowser } from '../../core/attempts/count-attempt.ts'
import { change } from '../../core/audit/audit.ts'
import type { PendingSignUp } from '../../core/browser-session.ts'
import { lockEnabledAccount } from '../../core/database/locks.ts'
import { unauthenticated } from '../../core/errors.ts'
import { anonymousOnly } from '../../core/requires.ts'
import { EmailPayload } from '../email/email-payload.ts'
import { sendMailLink } from '../mail-link.ts'
import { digestOfHash } from '../passwords/password-hash.ts'

/**
 * Returns true if a sign-up created this account. The address alone does not show that: another person may have created an account with it
 * before, to keep access after its owner signs up ("account pre-hijacking", Sudhodanan and Paverd, 2022).
 */
export const isCreatedBy = ({ passwordDigest }: PendingSignUp, { passwordHash }: Pick<User, 'passwordHash'>): boolean =>
  passwordHash !== null && digestOfHash(passwordHash) === passwordDigest

builder.mutationField('resendSignUp', (t) =>
  t.field({
    description:
      'Sends the email of the last sign-up of this browser again, with a new link; the previous one stops working. The response does not reveal whether the email address had an account. For anonymous callers of the account site.',
    type: EmailPayload,
    requires: anonymousOnly,
    resolve: async (_, __, context, info) => {
      const signUp = requireBrowser(context).findSignUp()
      if (!signUp) throw unauthenticated()
      await countSignUp(context)
      const { email } = signUp
      return change(
        context,
        info,
        async (transaction) => {
          const user = await lockEnabledAccount(transaction, { email })
          const isUnverified = user !== null && !user.emailVerified && isCreatedBy(signUp, user)
          const link = isUnverified
            ? ({ kind: 'verify_email', mail: 'verify-email' } as const)
            : ({ kind: 'reset_password', mail: 'account-exists' } as const)
          const isSent = await sendMailLink(transaction, context, { ...link, user, email })
          return { result: { email }, subject: user?.id ?? email, isDiscarded: !isSent }
        },
        { mayDiscard: true },
      )
    },
  }),
)

import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import { lockEnabledAccount } from './account-lock.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import { EmailPayload } from './email-payload.ts'
import { invalid } from './errors.ts'
import { sendMailLink } from './mail-link.ts'
import { hashPassword, password } from './password.ts'
import { visitorOnly } from './requires.ts'
import { sha256 } from './secret.ts'
import { displayName, emailAddress, parse, text } from './validation.ts'

const SignUpInput = builder.inputType('SignUpInput', {
  fields: (t) => ({
    email: t.string({ required: true, description: 'The e-mail address.' }),
    name: t.string({ required: true, description: 'The name others see.' }),
    password: t.string({ required: true, description: 'The password.' }),
    invitation: t.string({ description: 'Secret of the link of an invitation to that address, which shows that it is theirs.' }),
  }),
})
const rules = z.object({ email: emailAddress, name: displayName, password, invitation: text.nullish() })

builder.mutationField('signUp', (t) =>
  t.field({
    description:
      'Makes an account and mails a link that verifies its address. The answer is the same where there is one already: its owner is told by mail. For visitors of the account site.',
    type: EmailPayload,
    requires: visitorOnly,
    args: { input: t.arg({ type: SignUpInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { email, name, password, invitation } = parse(rules, input)
      const isInvited = !!invitation && (await isInvitationTo(context.database.prisma, email, invitation, context.now()))
      if (context.signUp === 'invited' && !isInvited)
        throw invalid({ invitation: ['An account is made by invitation: open the link in the mail, and use the address it was sent to.'] })
      // Also where it is not kept: hashing is what takes long.
      const passwordHash = await hashPassword(password)
      return change(context, info, async (transaction) => {
        const at = context.now()
        const account = { email, name, emailVerified: isInvited, passwordHash, createdAt: at, updatedAt: at }
        const { count } = await transaction.user.createMany({ data: account, skipDuplicates: true })
        const isNew = count === 1
        const user = await lockEnabledAccount(transaction, { email })
        if (!isNew) await sendMailLink(transaction, context, { kind: 'reset_password', mail: 'account-exists', user, email })
        else if (!isInvited) await sendMailLink(transaction, context, { kind: 'verify_email', mail: 'verify-email', user, email })
        const after = isNew ? { email, name, emailVerified: isInvited } : { email, isNew }
        return { result: { email }, subject: user?.id ?? email, after }
      })
    },
  }),
)

/** Whether this is the secret of an invitation that can be accepted now, and was sent to the address. */
async function isInvitationTo(prisma: Transaction, email: string, secret: string, now: Date): Promise<boolean> {
  const where = { tokenHash: sha256(secret), email, status: 'pending', expiresAt: { gt: now } } as const
  return (await prisma.invitation.count({ where })) > 0
}

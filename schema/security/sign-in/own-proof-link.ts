import { z } from 'zod'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { EmailPayload } from '../../accounts/email/email-payload.ts'
import { sendMailLink, takeMailLink } from '../../accounts/mail-link.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { lockCaller } from '../../core/database/locks.ts'
import { invalid } from '../../core/errors.ts'
import { hasAddress } from '../../core/mails/placeholder-address.ts'
import { confirmationOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { parse, text } from '../../core/validation.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { recordOwnProof } from '../sessions/own-proof.ts'

// An account that has neither a password nor a passkey is proved by a link to its verified address.

/** Returns the address for the link of a user; null if the user has a password or a passkey, or no verified address. */
async function findProofAddress({ database: { prisma } }: Context, id: string): Promise<string | null> {
  const user = await prisma.user.findUnique({
    where: { id, passwordHash: null, emailVerified: true, passkeys: { none: {} } },
    select: { email: true },
  })
  return user && hasAddress(user.email) ? user.email : null
}

builder.objectField(ViewerType, 'proofAddress', (t) =>
  t.string({
    description:
      'The email address to which `requestAccountProof` sends a link; null if the account is proved by its password or a passkey, or has no verified email address. For the account site.',
    nullable: true,
    requires: confirmationOnly,
    resolve: (_, __, context) => findProofAddress(context, requirePerson(context).user.id),
  }),
)

const ProveAccountInput = builder.inputType('ProveAccountInput', {
  fields: (t) => ({ token: t.string({ required: true, description: 'The secret of the link in the email.' }) }),
})
const rules = z.object({ token: text })

builder.mutationFields((t) => ({
  requestAccountProof: t.field({
    description:
      'Emails a link that proves the account in this session, valid for an hour. For an account without a password and a passkey, on the account site.',
    type: EmailPayload,
    isAudited: false,
    requires: confirmationOnly,
    async resolve(_, __, context) {
      const { id } = requirePerson(context).user
      const email = await findProofAddress(context, id)
      if (email === null) throw invalid({ email: ['You can confirm your account with your password, a passkey or your usual sign-in.'] })
      await inTransaction(context.database, async (transaction) => {
        const user = await lockCaller(transaction, id)
        await sendMailLink(transaction, context, { kind: 'prove_account', mail: 'prove-account', user, email })
      })
      return { email }
    },
  }),
  proveAccount: t.field({
    description: 'Proves the account in this session, with the link that was emailed. For the account site.',
    type: EmailPayload,
    isAudited: false,
    requires: confirmationOnly,
    args: { input: t.arg({ type: ProveAccountInput, required: true }) },
    resolve(_, { input }, context) {
      const { token } = parse(rules, input)
      const viewer = requirePerson(context)
      return inTransaction(context.database, async (transaction) => {
        const { link } = await takeMailLink(transaction, context, 'prove_account', token, viewer.user.id)
        transaction.defer(recordOwnProof(transaction, viewer))
        return { email: link.email }
      })
    },
  }),
}))

import { z } from 'zod'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { takeMailLink } from '../../accounts/mail-link.ts'
import { isCreatedBy } from '../../accounts/sign-up.ts'
import { builder } from '../../builder/builder.ts'
import { requireBrowser } from '../../core/attempts/count-attempt.ts'
import { change } from '../../core/audit/audit.ts'
import { invalid } from '../../core/errors.ts'
import { anonymousOnly } from '../../core/requires.ts'
import { parse, text } from '../../core/validation.ts'
import { completeSignIn, SignInPayload } from './complete.ts'

const CompleteSignUpInput = builder.inputType('CompleteSignUpInput', {
  fields: (t) => ({ token: t.string({ required: true, description: 'The secret of the link in the email.' }) }),
})
const rules = z.object({ token: text })

builder.mutationField('completeSignUp', (t) =>
  t.field({
    description:
      'Verifies the email address of the account that this browser created, with the link that was emailed there, and signs in. For anonymous callers of the account site.',
    type: SignInPayload,
    requires: anonymousOnly,
    args: { input: t.arg({ type: CompleteSignUpInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { token } = parse(rules, input)
      const signUp = requireBrowser(context).findSignUp()
      const { userId, passwordDigest } = await change(context, info, async (transaction) => {
        const { user } = await takeMailLink(transaction, context, 'verify_email', token)
        if (!signUp || !isCreatedBy(signUp, user)) throw notCreatedHere()
        const { id, email, emailVerified } = user
        transaction.defer(updateRows(transaction, 'users', { id }, { emailVerified: true, updatedAt: context.now() }))
        const result = { userId: id, passwordDigest: signUp.passwordDigest }
        return { result, subject: id, before: { emailVerified }, after: { email, emailVerified: true } }
      })
      // The password was entered in this browser at the sign-up.
      return completeSignIn(context, { userId, methods: ['pwd'], passwordDigest })
    },
  }),
)

/** Returns the error for another browser. The link stays usable: in a session of its account, it verifies the address. */
const notCreatedHere = () => invalid({ token: ['This browser did not create the account. Sign in to verify its email address.'] })

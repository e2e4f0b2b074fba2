import { z } from 'zod'
import type { User } from '../../prisma/generated/client/client.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { countSignUp, requireBrowser } from '../core/attempts/count-attempt.ts'
import { change } from '../core/audit/audit.ts'
import type { PendingSignUp } from '../core/browser-session.ts'
import type { Context } from '../core/context.ts'
import { lockEnabledAccount } from '../core/database/locks.ts'
import { invalid, unauthenticated } from '../core/errors.ts'
import { anonymousOnly } from '../core/requires.ts'
import { sha256 } from '../core/sha256.ts'
import { displayName, mailAddress, parse, text } from '../core/validation.ts'
import { EmailPayload } from './email/email-payload.ts'
import { sendMailLink } from './mail-link.ts'
import { digestOfHash, hashPassword } from './passwords/password-hash.ts'
import { createPasswordSchema } from './passwords/password.ts'

const SignUpInput = builder.inputType('SignUpInput', {
  fields: (t) => ({
    email: t.string({ required: true, description: 'The email address.' }),
    name: t.string({ required: true, description: 'The name that others see.' }),
    password: t.string({ required: true, description: 'The password.' }),
    invitation: t.string({
      description: 'Secret of the link of an invitation to that email address, which proves that it belongs to the caller.',
    }),
  }),
})

const rulesFor = (context: Context, input: { email: string; name: string }) =>
  z.object({
    email: mailAddress,
    name: displayName,
    password: createPasswordSchema(context, {
      name: displayName.safeParse(input.name).data ?? '',
      email: mailAddress.safeParse(input.email).data ?? '',
    }),
    invitation: text.nullish(),
  })

builder.mutationField('signUp', (t) =>
  t.field({
    description:
      'Creates an account and emails a link that verifies its email address. If that has an account, the response is the same and its owner receives an email. For anonymous callers of the account site.',
    type: EmailPayload,
    requires: anonymousOnly,
    args: { input: t.arg({ type: SignUpInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      await countSignUp(context)
      const { email, name, password, invitation } = parse(rulesFor(context, input), input)
      const isInvited = !!invitation && (await findInvitation(context.database.pool, sha256(invitation), email, context.now())).length > 0
      if (context.signUp === 'invited' && !isInvited)
        throw invalid({
          invitation: [
            'You need an invitation to create an account. Open the link in the invitation email and use the email address it was sent to.',
          ],
        })
      // The password is hashed even if the address has an account, so that the response takes as long.
      const passwordHash = await hashPassword(password)
      const result = await change(
        context,
        info,
        async (transaction) => {
          const at = context.now()
          const [created, user] = await Promise.all([
            insertUnlessTaken(transaction, email, name, isInvited, passwordHash, at),
            lockEnabledAccount(transaction, { email }),
          ])
          const isNew = created.length === 1
          const accountExists = { kind: 'reset_password', mail: 'account-exists', user, email } as const
          const isDiscarded = !isNew && !(await sendMailLink(transaction, context, accountExists)).isSent
          if (isNew && !isInvited) await sendMailLink(transaction, context, { kind: 'verify_email', mail: 'verify-email', user, email })
          const after = isNew ? { email, name, emailVerified: isInvited } : { email, isNew }
          return { result: { email }, subject: user?.id ?? email, after, isDiscarded }
        },
        { mayDiscard: true },
      )
      // The sign-up is saved even if the address has an account. No account has this hash then.
      requireBrowser(context).saveSignUp({ name, email, passwordDigest: digestOfHash(passwordHash) })
      return result
    },
  }),
)

/** Returns a row only if the account is new. */
const insertUnlessTaken = statement<object, [email: string, name: string, emailVerified: boolean, passwordHash: string, at: Date]>(
  'sign_up',
  `INSERT INTO users (email, name, email_verified, password_hash, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
   ON CONFLICT DO NOTHING RETURNING id`,
)

/** Returns a row if the secret with this hash belongs to a pending invitation to this address. */
const findInvitation = statement<object, [secretHash: Buffer, email: string, now: Date]>(
  'invitation_of_sign_up',
  `SELECT id FROM invitations WHERE token_hash = $1 AND email = $2 AND status = 'pending' AND expires_at > $3`,
)

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
          const { isSent } = await sendMailLink(transaction, context, { ...link, user, email })
          return { result: { email }, subject: user?.id ?? email, isDiscarded: !isSent }
        },
        { mayDiscard: true },
      )
    },
  }),
)

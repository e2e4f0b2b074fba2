import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { lockEnabledAccount } from '../../core/database/locks.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { countSignUp, requireBrowser } from '../../core/attempts/count-attempt.ts'
import { accountSiteOnly } from '../../core/requires.ts'
import { revokeGrants } from '../../core/team-access/revoke-grants.ts'
import { mailAddress, parse, text } from '../../core/validation.ts'
import { endOtherSessionsField, endUserSessions } from '../end-sessions.ts'
import { EmailPayload } from '../email/email-payload.ts'
import { endLinks, findMailLink, linkEnded, sendMailLink, takeMailLink } from '../mail-link.ts'
import { passwordChanged, revokePersonalTokensField } from './password-changed.ts'
import { hashingComplexity, hashNewPassword, password } from './password.ts'

const RequestPasswordResetInput = builder.inputType('RequestPasswordResetInput', {
  fields: (t) => ({ email: t.string({ required: true, description: 'Email address of the account.' }) }),
})
const ResetPasswordInput = builder.inputType('ResetPasswordInput', {
  fields: (t) => ({
    token: t.string({ required: true, description: 'The secret of the link in the email.' }),
    password: t.string({ required: true, description: 'The new password.' }),
    endOtherSessions: t.boolean({
      ...endOtherSessionsField,
      description: 'Whether every session of the user ends. Those of an account whose email address was not verified always end.',
    }),
    revokePersonalTokens: t.boolean(revokePersonalTokensField),
  }),
})
const requestRules = z.object({ email: mailAddress })
const resetRules = z.object({ token: text, password })

builder.mutationFields((t) => ({
  requestPasswordReset: t.field({
    description:
      'Emails a link for choosing a new password, valid for an hour. The response and its time are the same if there is no account. For the account site.',
    type: EmailPayload,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: RequestPasswordResetInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      await countSignUp(context)
      const { email } = parse(requestRules, input)
      return change(
        context,
        info,
        async (transaction) => {
          const user = await lockEnabledAccount(transaction, { email })
          const { isSent } = await sendMailLink(transaction, context, { kind: 'reset_password', mail: 'reset-password', user, email })
          return { result: { email }, subject: user?.id ?? email, isDiscarded: !isSent }
        },
        { mayDiscard: true },
      )
    },
  }),
  resetPassword: t.field({
    description: 'Sets a new password with the link of an email, which also verifies the email address. For the account site.',
    type: EmailPayload,
    complexity: hashingComplexity,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: ResetPasswordInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { token, password } = parse(resetRules, input)
      // The link is read without a lock, before the slow hashing, because the rules depend on the owner of the password.
      const link = await findMailLink(context.database.pool, context.now(), token)
      if (!link) throw linkEnded()
      const passwordHash = await hashNewPassword(context, 'password', password, link.user)
      const { email } = await change(context, info, async (transaction) => {
        const isWanted = input.endOtherSessions !== false
        // The statements are sent together. If the link was used or replaced meanwhile, the rollback restores the sessions.
        const [{ user }, ended] = await Promise.all([
          takeMailLink(transaction, context, 'reset_password', token),
          isWanted ? endUserSessions(transaction, link.userId) : [],
        ])
        const endsSessions = isWanted || !user.emailVerified
        const endedSessions = endsSessions && !isWanted ? await endUserSessions(transaction, user.id) : ended
        if (!user.emailVerified) await removeCredentials(transaction, context, user.id)
        const data = { passwordHash, emailVerified: true, updatedAt: context.now() }
        transaction.defer(updateRows(transaction, 'users', { id: user.id }, data))
        const revokesTokens = !user.emailVerified || input.revokePersonalTokens === true
        const audited = await passwordChanged(transaction, context, { id: user.id, emailVerified: true }, { endsSessions, revokesTokens })
        const before = { emailVerified: user.emailVerified }
        const after = { emailVerified: true, sessionsEnded: endedSessions.length, ...audited }
        return { result: { email: user.email }, subject: user.id, before, after, endedSessions }
      })
      // Without this call, the user could not sign in after an attacker has used up the attempts.
      await requireBrowser(context).attemptLimits.signInAccount.clear(email)
      return { email }
    },
  }),
}))

/**
 * Removes every other credential of an account whose address is verified for the first time; its personal tokens are revoked with the
 * password. Another user may have created the account with this address, to keep access after its owner signs up ("account
 * pre-hijacking", Sudhodanan and Paverd, 2022).
 */
async function removeCredentials(transaction: Transaction, context: Context, userId: string): Promise<void> {
  transaction.defer(updateRows(transaction, 'users', { id: userId }, { totpSecret: null, totpLastStep: null }))
  transaction.defer(deleteOtherWays(transaction, userId))
  await revokeGrants(transaction, context, { userId })
  endLinks(transaction, context, userId)
}

const deleteOtherWays = statement<object, [userId: string]>(
  'delete_other_ways_to_sign_in',
  `WITH codes AS (DELETE FROM recovery_codes WHERE user_id = $1), identities AS (DELETE FROM external_identities WHERE user_id = $1)
   DELETE FROM passkeys WHERE user_id = $1`,
)

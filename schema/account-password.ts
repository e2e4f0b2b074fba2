import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import { lockEnabledAccount } from './account-lock.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { EmailPayload } from './email-payload.ts'
import { unauthenticated } from './errors.ts'
import { endLinks, sendMailLink, takeMailLink } from './mail-link.ts'
import { sendNotice } from './notice.ts'
import { hashPassword, hashingComplexity, password } from './password.ts'
import { sessionPerson } from './reach.ts'
import { recentSession, siteOnly } from './requires.ts'
import { endSessionsOf } from './session-end.ts'
import { UserPayload } from './user.ts'
import { emailAddress, parse, text } from './validation.ts'

const RequestPasswordResetInput = builder.inputType('RequestPasswordResetInput', {
  fields: (t) => ({ email: t.string({ required: true, description: 'E-mail address of the account.' }) }),
})
const ResetPasswordInput = builder.inputType('ResetPasswordInput', {
  fields: (t) => ({
    token: t.string({ required: true, description: 'The secret of the link in the mail.' }),
    password: t.string({ required: true, description: 'The new password.' }),
  }),
})
const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  fields: (t) => ({ newPassword: t.string({ required: true, description: 'The new password.' }) }),
})
const requestRules = z.object({ email: emailAddress })
const resetRules = z.object({ token: text, password })
const changeRules = z.object({ newPassword: password })

builder.mutationFields((t) => ({
  requestPasswordReset: t.field({
    description:
      'Mails a link under which a new password can be chosen, within an hour. The answer is the same, and takes as long, where there is no account. For the account site.',
    type: EmailPayload,
    requires: siteOnly,
    args: { input: t.arg({ type: RequestPasswordResetInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { email } = parse(requestRules, input)
      return change(context, info, async (transaction) => {
        const user = await lockEnabledAccount(transaction, { email })
        await sendMailLink(transaction, context, { kind: 'reset_password', mail: 'reset-password', user, email })
        return { result: { email }, subject: user?.id ?? email }
      })
    },
  }),
  resetPassword: t.field({
    description: 'Chooses a new password by the link of a mail, which also verifies the address. Ends every session. For the account site.',
    type: EmailPayload,
    complexity: hashingComplexity,
    requires: siteOnly,
    args: { input: t.arg({ type: ResetPasswordInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { token, password } = parse(resetRules, input)
      const passwordHash = await hashPassword(password)
      return change(context, info, async (transaction) => {
        const { user } = await takeMailLink(transaction, context, 'reset_password', token)
        if (!user.emailVerified) await disown(transaction, context, user.id)
        await transaction.user.update({ where: { id: user.id }, data: { passwordHash, emailVerified: true } })
        const endedSessions = await endSessionsOf(transaction, user.id)
        await passwordChanged(transaction, context, user.id)
        const before = { emailVerified: user.emailVerified }
        const after = { emailVerified: true, sessionsEnded: endedSessions.length }
        return { result: { email: user.email }, subject: user.id, before, after, endedSessions }
      })
    },
  }),
  changePassword: t.field({
    description: 'Chooses a new password, or the first one, shortly after signing in. Ends every other session.',
    type: UserPayload,
    complexity: hashingComplexity,
    requires: recentSession,
    args: { input: t.arg({ type: ChangePasswordInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { user: asking, credentialId } = sessionPerson(context)
      const { newPassword } = parse(changeRules, input)
      const passwordHash = await hashPassword(newPassword)
      return change(context, info, async (transaction) => {
        if (!(await lockEnabledAccount(transaction, { id: asking.id }))) throw unauthenticated()
        const user = await transaction.user.update({ where: { id: asking.id }, data: { passwordHash } })
        const endedSessions = await endSessionsOf(transaction, user.id, credentialId)
        await passwordChanged(transaction, context, user.id, user.emailVerified)
        return { result: { user }, subject: user.id, after: { sessionsEnded: endedSessions.length }, endedSessions }
      })
    },
  }),
}))

/**
 * What every new password brings with it: links end under which another could be chosen, or that would give the account
 * to an address which somebody asked for who is now locked out; and the person is told.
 */
async function passwordChanged(transaction: Transaction, context: Context, userId: string, isVerified = true): Promise<void> {
  await endLinks(transaction, context, userId, 'reset_password', 'change_email')
  await sendNotice(transaction, context, { id: userId, emailVerified: isVerified }, 'password-changed')
}

/**
 * Takes from an account what opens it, for its address to be shown for the first time: somebody else may have made it
 * with that address, to be in it still once its owner comes ("account pre-hijacking", Sudhodanan and Paverd, 2022).
 */
async function disown(transaction: Transaction, context: Context, userId: string): Promise<void> {
  const revokedAt = context.now()
  await transaction.user.update({ where: { id: userId }, data: { totpSecret: null, totpLastStep: null } })
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  await transaction.passkey.deleteMany({ where: { userId } })
  await transaction.accessToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt } })
  await transaction.oAuthGrant.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt } })
  await endLinks(transaction, context, userId)
}

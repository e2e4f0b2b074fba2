import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import { lockCaller } from '../../core/database/locks.ts'
import { invalid } from '../../core/errors.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { recentSession, sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { mailAddress, parse, text, unlessTaken } from '../../core/validation.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { endOtherSessions, endOtherSessionsField } from '../end-sessions.ts'
import { endLinks, sendMailLink, takeMailLink } from '../mail-link.ts'
import { requireSignInsDone } from '../required-sign-ins.ts'
import { EmailPayload } from './email-payload.ts'

const MailLinkInput = builder.inputType('MailLinkInput', {
  fields: (t) => ({
    token: t.string({ required: true, description: 'The secret of the link in the email.' }),
    endOtherSessions: t.boolean({
      ...endOtherSessionsField,
      description: `${endOtherSessionsField.description} Only \`confirmEmailChange\` reads it.`,
    }),
  }),
})
const RequestEmailChangeInput = builder.inputType('RequestEmailChangeInput', {
  fields: (t) => ({ email: t.string({ required: true, description: 'The new email address.' }) }),
})
const linkRules = z.object({ token: text })
const requestRules = z.object({ email: mailAddress })

builder.mutationFields((t) => ({
  verifyEmail: t.field({
    description: 'Verifies the email address of the signed-in user with the link that was emailed there.',
    type: EmailPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: MailLinkInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { token } = parse(linkRules, input)
      return change(context, info, async (transaction) => {
        const { user } = await takeMailLink(transaction, context, 'verify_email', token, requirePerson(context).user.id)
        const { id, email, emailVerified } = user
        transaction.defer(updateRows(transaction, 'users', { id }, { emailVerified: true, updatedAt: context.now() }))
        return { result: { email }, subject: id, before: { emailVerified }, after: { email, emailVerified: true } }
      })
    },
  }),
  resendVerification: t.field({
    description: 'Emails a new link that verifies the email address; the previous link stops working.',
    type: EmailPayload,
    requires: sessionOnly,
    resolve: (_, __, context, info) =>
      change(context, info, async (transaction) => {
        const user = await lockCaller(transaction, requirePerson(context).user.id)
        const { id, email, emailVerified } = user
        if (emailVerified) throw invalid({ email: ['This email address is already verified.'] })
        await sendMailLink(transaction, context, { kind: 'verify_email', mail: 'verify-email', user, email })
        return { result: { email }, subject: id, after: { email } }
      }),
  }),
  requestEmailChange: t.field({
    description: 'Emails a link that confirms a new email address. It changes when the link is used.',
    type: EmailPayload,
    requires: recentSession,
    args: { input: t.arg({ type: RequestEmailChangeInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { email } = parse(requestRules, input)
      return change(context, info, async (transaction) => {
        const user = await lockCaller(transaction, requirePerson(context).user.id)
        if (email === user.email) throw invalid({ email: ['This is already your email address.'] })
        // The mail is sent even if the address has an account, which only a reader of its mails can discover, by using the link.
        const mail = sendMailLink(transaction, context, { kind: 'change_email', mail: 'change-email', user, email })
        // The statements are sent together; a refusal also discards the mail.
        await Promise.all([requireSignInsDone(transaction, user.id), mail])
        await sendNotice(transaction, context, user, 'email-change-requested', {})
        return { result: { email }, subject: user.id, before: { email: user.email }, after: { asked: email } }
      })
    },
  }),
  confirmEmailChange: t.field({
    description: 'Changes the email address to the one the link was emailed to, as verified. Notifies the previous one.',
    type: EmailPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: MailLinkInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { token } = parse(linkRules, input)
      return change(context, info, async (transaction) => {
        const { id: userId } = requirePerson(context).user
        const [{ link, user }, { endedSessions, audited }] = await Promise.all([
          takeMailLink(transaction, context, 'change_email', token, userId),
          endOtherSessions(transaction, context, input.endOtherSessions),
          requireSignInsDone(transaction, userId),
        ])
        const { email } = link
        const data = { email, emailVerified: true, updatedAt: context.now() }
        transaction.defer(unlessTaken('email', updateRows(transaction, 'users', { id: user.id }, data)))
        // Links that were mailed to the previous address must not grant access to this account.
        endLinks(transaction, context, user.id)
        const at = context.now().toISOString()
        await context.sendMail(transaction, { kind: 'email-changed', userId: user.id, recipient: user.email, at, data: {} })
        return { result: { email }, subject: user.id, before: { email: user.email }, after: { email, ...audited }, endedSessions }
      })
    },
  }),
}))

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

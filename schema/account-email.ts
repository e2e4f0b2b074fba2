import { z } from 'zod'
import { lockEnabledAccount } from './account-lock.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import { EmailPayload } from './email-payload.ts'
import { invalid, unauthenticated } from './errors.ts'
import { endLinks, sendMailLink, takeMailLink } from './mail-link.ts'
import { sessionPerson } from './reach.ts'
import { recentSession, sessionOnly } from './requires.ts'
import { emailAddress, parse, text, unlessTaken } from './validation.ts'

const MailLinkInput = builder.inputType('MailLinkInput', {
  fields: (t) => ({ token: t.string({ required: true, description: 'The secret of the link in the mail.' }) }),
})
const RequestEmailChangeInput = builder.inputType('RequestEmailChangeInput', {
  fields: (t) => ({ email: t.string({ required: true, description: 'The new address.' }) }),
})
const linkRules = z.object({ token: text })
const requestRules = z.object({ email: emailAddress })

builder.mutationFields((t) => ({
  verifyEmail: t.field({
    description: 'Verifies the address of the person’s account by the link that was mailed there.',
    type: EmailPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: MailLinkInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { token } = parse(linkRules, input)
      return change(context, info, async (transaction) => {
        const { user } = await takeMailLink(transaction, context, 'verify_email', token, sessionPerson(context).user.id)
        const { id, email, emailVerified } = user
        await transaction.user.update({ where: { id }, data: { emailVerified: true } })
        return { result: { email }, subject: id, before: { emailVerified }, after: { email, emailVerified: true } }
      })
    },
  }),
  resendVerification: t.field({
    description: 'Mails the link that verifies the person’s address again; the earlier one is dead.',
    type: EmailPayload,
    requires: sessionOnly,
    resolve: (_, __, context, info) =>
      change(context, info, async (transaction) => {
        const user = await lockEnabledAccount(transaction, { id: sessionPerson(context).user.id })
        if (!user) throw unauthenticated()
        const { id, email, emailVerified } = user
        if (emailVerified) throw invalid({ email: ['The email is verified already.'] })
        await sendMailLink(transaction, context, { kind: 'verify_email', mail: 'verify-email', user, email })
        return { result: { email }, subject: id, after: { email } }
      }),
  }),
  requestEmailChange: t.field({
    description: 'Mails a link to a new address, under which it becomes that of the account. Until then nothing changes.',
    type: EmailPayload,
    requires: recentSession,
    args: { input: t.arg({ type: RequestEmailChangeInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { email } = parse(requestRules, input)
      return change(context, info, async (transaction) => {
        const user = await lockEnabledAccount(transaction, { id: sessionPerson(context).user.id })
        if (!user) throw unauthenticated()
        if (email === user.email) throw invalid({ email: ['The email is that of your account already.'] })
        // Also to an address that has an account: only who can read its mails is told so, when they follow the link.
        await sendMailLink(transaction, context, { kind: 'change_email', mail: 'change-email', user, email })
        return { result: { email }, subject: user.id, before: { email: user.email }, after: { asked: email } }
      })
    },
  }),
  confirmEmailChange: t.field({
    description: 'Makes the address to which the link was mailed that of the person’s account, verified; the old one is told.',
    type: EmailPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: MailLinkInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { token } = parse(linkRules, input)
      return change(context, info, async (transaction) => {
        const { link, user } = await takeMailLink(transaction, context, 'change_email', token, sessionPerson(context).user.id)
        const { email } = link
        await unlessTaken('email', transaction.user.update({ where: { id: user.id }, data: { email, emailVerified: true } }))
        // What was mailed to the old address no longer opens this account.
        await endLinks(transaction, context, user.id)
        const at = context.now().toISOString()
        await context.sendMail(transaction, { kind: 'email-changed', userId: user.id, recipient: user.email, at })
        return { result: { email }, subject: user.id, before: { email: user.email }, after: { email } }
      })
    },
  }),
}))

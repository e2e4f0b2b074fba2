import { formatSignInCode } from '../../../schema/security/sign-in/emailed-code.ts'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { LinkMail } from '../../../schema/core/mails/mails.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { html } from '../html.ts'
import type { MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInText } from '../names.ts'
import { toRecipient } from '../recipient.ts'
import type { MailContent } from './mail-layout.ts'
import { readLink } from './link-mail.ts'

interface SignInCodeMailData {
  /** Six digits. */
  code: string
  /** The recipient's address. */
  email: string
  /** Name of the product. */
  product: string
  expiresAt: Date
  times?: TimeSettings
}

/** A mail with a code for signing in. The subject does not contain the code, because notifications and logs show subjects. */
export const signInCodeMail: MailDeclaration<LinkMail> & { buildContent(data: SignInCodeMailData): MailContent } = {
  buildContent,
  async compose(parts, { kind, linkId }) {
    const link = await readLink(parts, linkId)
    if ('dropped' in link) return link
    const { email, createdAt, expiresAt, user } = link.row
    const recipient = toRecipient(user)
    const code = formatSignInCode(link.secret)
    return {
      to: email,
      name: recipient.name,
      content: buildContent({ code, email: nameInText(email), product: parts.brand.name, expiresAt, times: recipient }),
      secret: code,
      messageId: messageId(parts.authUrl, kind, linkId),
      date: createdAt,
    }
  },
}

function buildContent({ code, email, product, expiresAt, times }: SignInCodeMailData): MailContent {
  return {
    subject: 'Your sign-in code',
    paragraphs: [
      `Enter this code on the page on which you requested it, to sign in to the account ${email}:`,
      { text: code, html: html`<span style="font-size:28px;font-weight:600;letter-spacing:4px">${code}</span>` },
    ],
    ending: [
      `The code expires on ${formatDateTime(expiresAt, times)}, can be used once, and works only in the browser in which it was requested. Do not share it: we never ask for it.`,
      'If you did not request this, you can ignore this email. No one can sign in without the code.',
    ],
    reason: `a sign-in code was requested for your account at ${product}`,
  }
}

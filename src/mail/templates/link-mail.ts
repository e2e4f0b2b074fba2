import { mailLinkSecret } from '../../../schema/accounts/mail-link.ts'
import type { LinkMail, TimeSettings } from '../../../schema/core/context.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { mailLink } from '../link.ts'
import type { ComposeParts, Composed, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { renderMail } from './layout.ts'
import type { MailText } from './layout.ts'

/** The values in the text of a mail with a link. */
interface LinkMailData {
  /** The recipient's address. */
  email: string
  /** The current address of the account. */
  account: string
  link: string
  /** When the link expires. */
  expiresAt: Date
  /** How the recipient reads times. */
  times?: TimeSettings
}

interface LinkMailParts {
  subject: string
  paragraph: string
  lead: string
  button: string
  /** For a recipient who did not request the mail. */
  notForYou?: string
}

/** Declares a mail with a link that works once and until it expires. */
export function linkMail(
  parts: (data: LinkMailData) => LinkMailParts,
): MailDeclaration<LinkMail> & { render(data: LinkMailData): MailText } {
  const render = (data: LinkMailData) => renderLinkMail(data, parts(data))
  return { render, compose: (context, mail) => composeLink(context, mail, render) }
}

function renderLinkMail(
  { link, expiresAt, times }: LinkMailData,
  { subject, paragraph, lead, button, notForYou = 'If you did not request this email, you can ignore it.' }: LinkMailParts,
): MailText {
  return renderMail({
    subject,
    paragraphs: [paragraph],
    link: { lead, button, address: link },
    ending: [`The link works until ${formatDateTime(expiresAt, times)}.`, `${notForYou} The link works once. Do not share it.`],
  })
}

async function composeLink(
  { database, now, deriveSecret, authUrl }: ComposeParts,
  { kind, linkId }: LinkMail,
  render: (data: LinkMailData) => MailText,
): Promise<Composed> {
  const row = await database.prisma.mailLink.findUnique({ where: { id: linkId }, include: { user: true } })
  // There was no account for the address, its hourly limit of mails was reached, or the account was deleted.
  if (!row) return { dropped: 'no account' }
  const { email, nonce, tokenHash, createdAt, expiresAt, usedAt, user } = row
  if (usedAt) return { dropped: 'used' }
  if (expiresAt <= now()) return { dropped: 'expired or replaced' }
  if (user.disabledAt) return { dropped: 'disabled' }
  const secret = mailLinkSecret({ deriveSecret }, nonce)
  if (!sha256(secret).equals(tokenHash)) throw new Error('SECRET_KEY differs from the one that created the link')
  const text = render({ email, account: user.email, link: mailLink(authUrl, secret), expiresAt, times: user })
  return { secret, message: { to: email, ...text, messageId: messageId(authUrl, kind, linkId), date: createdAt } }
}

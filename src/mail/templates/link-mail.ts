import type { MailLink, User } from '../../../prisma/generated/client/client.ts'
import { isPendingDeletion } from '../../../schema/accounts/deletion/pending-deletion.ts'
import { storedMailLinkSecret } from '../../../schema/accounts/mail-link.ts'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { LinkMail } from '../../../schema/core/mails/mails.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { mailLink } from '../link.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInText } from '../names.ts'
import { toRecipient } from '../recipient.ts'
import type { MailContent } from './mail-layout.ts'

/** The values in the text of a mail with a link. */
interface LinkMailData {
  /** The recipient's address. */
  email: string
  /** The current address of the account. */
  account: string
  /** Name of the product. */
  product: string
  link: string
  /** Time at which the link expires. */
  expiresAt: Date
  /** Settings by which the mail shows times to the recipient. */
  times?: TimeSettings
}

interface LinkMailParts {
  subject: string
  paragraph: string
  lead: string
  button: string
  /** Text for a recipient who did not request the mail. */
  notForYou?: string
  reason: string
}

type LinkMailDeclaration = MailDeclaration<LinkMail> & { buildContent(data: LinkMailData): MailContent }

/** Declares a mail with a link that works once and until it expires. If `isNamed`, the mail greets the user by name. */
export function linkMail(parts: (data: LinkMailData) => LinkMailParts, { isNamed } = { isNamed: true }): LinkMailDeclaration {
  const buildContent = (data: LinkMailData) => linkMailContent(data, parts(data))
  return { buildContent, compose: (context, mail) => composeLink(context, mail, buildContent, isNamed) }
}

function linkMailContent(
  { link, expiresAt, times }: LinkMailData,
  { subject, paragraph, lead, button, reason, notForYou = 'If you did not request this, you can ignore this email.' }: LinkMailParts,
): MailContent {
  return {
    subject,
    paragraphs: [paragraph],
    link: { lead, button, address: link },
    ending: [`The link expires on ${formatDateTime(expiresAt, times)} and can be used once. Do not share it.`, notForYou],
    reason,
  }
}

/** A link that can still be used, with its account and its secret. */
interface StoredLink {
  row: MailLink & { user: User }
  secret: string
}

/** Reads the link of a mail. Returns the reason for which the mail is not sent if the link cannot be used. */
export async function readLink({ database, now, deriveSecret }: ComposeParts, linkId: string): Promise<StoredLink | { dropped: string }> {
  const row = await database.prisma.mailLink.findUnique({ where: { id: linkId }, include: { user: true } })
  // There was no account for the address, its hourly limit of mails was reached, or the account was deleted.
  if (!row) return { dropped: 'no account' }
  const { nonce, tokenHash, expiresAt, usedAt, user } = row
  if (usedAt) return { dropped: 'used' }
  if (expiresAt <= now()) return { dropped: 'expired or replaced' }
  if (user.disabledAt && !(row.kind === 'sign_in' && isPendingDeletion(user))) return { dropped: 'disabled' }
  const secret = storedMailLinkSecret({ deriveSecret }, { nonce, tokenHash })
  if (secret === undefined) throw new Error('SECRET_KEY differs from the one that created the link')
  return { row, secret }
}

async function composeLink(
  parts: ComposeParts,
  { kind, linkId }: LinkMail,
  buildContent: (data: LinkMailData) => MailContent,
  isNamed: boolean,
): Promise<Draft> {
  const link = await readLink(parts, linkId)
  if ('dropped' in link) return link
  const { authUrl, brand } = parts
  const { email, createdAt, expiresAt, user } = link.row
  const { secret } = link
  const recipient = toRecipient(user)
  return {
    to: email,
    name: isNamed ? recipient.name : null,
    content: buildContent({
      email: nameInText(email),
      account: nameInText(user.email),
      product: brand.name,
      link: mailLink(authUrl, secret),
      expiresAt,
      times: recipient,
    }),
    secret,
    messageId: messageId(authUrl, kind, linkId),
    date: createdAt,
  }
}

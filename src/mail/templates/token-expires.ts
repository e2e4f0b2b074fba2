import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { TokenExpiresMail } from '../../../schema/core/mails/mails.ts'
import { personalTokensPath } from '../../web/page-paths.ts'
import { formatDate, formatDateTime } from '../../web/time-format.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInText, nameInSubject } from '../names.ts'
import { recipientColumns, toRecipient } from '../recipient.ts'
import type { MailContent } from './mail-layout.ts'

/** The values in the text. */
interface TokenExpiresMailData {
  name: string
  /** Name of the team of a team token, or null. */
  team: string | null
  expiresAt: Date
  /** The page of the token. */
  address: string
  /** Settings by which the mail shows times to the recipient. */
  times?: TimeSettings
}

/** A mail to the people who can replace a token, some days before it expires; one mail for each token. */
export const tokenExpiresMail: MailDeclaration<TokenExpiresMail> & { buildContent(data: TokenExpiresMailData): MailContent } = {
  buildContent,
  compose,
}

function buildContent({ name, team, expiresAt, address, times }: TokenExpiresMailData): MailContent {
  const subject =
    team === null ? `Your personal token “${nameInText(name)}”` : `The token “${nameInText(name)}” of the team “${nameInText(team)}”`
  return {
    subject: `${team === null ? 'Personal token' : `${nameInSubject(team)}: token`} ${nameInSubject(name)} expires on ${formatDate(expiresAt, times)}`,
    paragraphs: [
      `${subject} expires on ${formatDateTime(expiresAt, times)}. Everything that uses it stops working then.`,
      'If you still need it, create a new token and use it in place of this one before then.',
    ],
    link: { lead: 'View the token:', button: 'View token', address },
    ending: ['If you no longer need the token, you can ignore this email.'],
    reason: team === null ? 'the token belongs to your account' : `you are an owner of the team “${nameInText(team)}”`,
  }
}

async function compose({ database, authUrl, now }: ComposeParts, { tokenId, userId }: TokenExpiresMail): Promise<Draft> {
  const [token, user] = await Promise.all([
    database.prisma.accessToken.findUnique({ where: { id: tokenId }, include: { team: { select: { name: true, slug: true } } } }),
    database.prisma.user.findUnique({ where: { id: userId }, select: { email: true, ...recipientColumns } }),
  ])
  if (!token || !user) return { dropped: 'deleted' }
  const { name, team, expiresAt, revokedAt, expiryNotifiedAt } = token
  if (revokedAt || !expiresAt || expiresAt <= now()) return { dropped: 'revoked or expired' }
  const path = team ? `/teams/${team.slug}/tokens` : personalTokensPath
  const recipient = toRecipient(user)
  const address = `${authUrl}${path}/${tokenId}`
  const content = buildContent({ name, team: team?.name ?? null, expiresAt, address, times: recipient })
  const date = expiryNotifiedAt ?? now()
  const id = messageId(authUrl, 'token-expires', tokenId, userId)
  return { to: user.email, name: recipient.name, content, secret: '', messageId: id, date }
}

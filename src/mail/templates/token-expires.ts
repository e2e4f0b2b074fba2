import type { TokenExpiresMail } from '../../../schema/core/context.ts'
import { isolateName, toSingleLine, truncate } from '../../web/display-name.ts'
import { personalTokensPath } from '../../web/page-paths.ts'
import { formatDateTime } from '../../web/time-format.ts'
import type { ComposeParts, Composed, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { renderMail } from './layout.ts'
import type { MailText } from './layout.ts'

/** The values in the text. Names are shown as plain text. */
interface TokenExpiresMailData {
  name: string
  /** Name of the team of a team token, or null. */
  team: string | null
  expiresAt: Date
  /** The page of the token. */
  address: string
}

/** To those who can replace a token, some days before it expires; once for each token. */
export const tokenExpiresMail: MailDeclaration<TokenExpiresMail> & { render(data: TokenExpiresMailData): MailText } = { render, compose }

function render({ name, team, expiresAt, address }: TokenExpiresMailData): MailText {
  const subject =
    team === null ? `Your personal token ${isolateName(name)}` : `The token ${isolateName(name)} of the team ${isolateName(team)}`
  return renderMail({
    subject: toSingleLine(`The token ${truncate(toSingleLine(name), 60)} expires soon`),
    paragraphs: [
      `${subject} expires on ${formatDateTime(expiresAt)}. Everything that uses it stops working then.`,
      'If it is still needed, create a new token and replace the old one before that day.',
    ],
    link: { lead: 'Review the token here:', button: 'Review the token', address },
    ending: [
      team === null
        ? 'You receive this mail because the token belongs to your account.'
        : 'You receive this mail because you are an owner of the team.',
    ],
  })
}

async function compose({ database, authUrl, now }: ComposeParts, { tokenId, userId }: TokenExpiresMail): Promise<Composed> {
  const [token, user] = await Promise.all([
    database.prisma.accessToken.findUnique({ where: { id: tokenId }, include: { team: { select: { name: true, slug: true } } } }),
    database.prisma.user.findUnique({ where: { id: userId }, select: { email: true } }),
  ])
  if (!token || !user) return { dropped: 'deleted' }
  const { name, team, expiresAt, revokedAt, expiryNotifiedAt } = token
  if (revokedAt || !expiresAt || expiresAt <= now()) return { dropped: 'revoked or expired' }
  const path = team ? `/teams/${team.slug}/tokens` : personalTokensPath
  const text = render({ name, team: team?.name ?? null, expiresAt, address: `${authUrl}${path}/${tokenId}` })
  const date = expiryNotifiedAt ?? now()
  return { secret: '', message: { to: user.email, ...text, messageId: messageId(authUrl, 'token-expires', tokenId, userId), date } }
}

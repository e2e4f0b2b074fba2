import type { RefreshTokenReuseMail, TimeSettings } from '../../../schema/core/context.ts'
import { applicationsPath } from '../../web/page-paths.ts'
import { isolateName, toSingleLine, truncate } from '../../web/display-name.ts'
import type { ComposeParts, Composed, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { renderMail } from './layout.ts'
import type { MailText } from './layout.ts'

/** The values in the text. Names are shown as plain text. */
export interface RefreshTokenReuseMailData {
  application: string
  /** Name of the team of the grant, or null. */
  team: string | null
  /** When the connection was ended. */
  at: Date
  /** The page with the user's connected applications. */
  applications: string
  /** How the recipient reads times. */
  times?: TimeSettings
}

/** To a user for whom a refresh token was used a second time (docs/decisions/oauth.md#refresh). */
export const refreshTokenReuseMail: MailDeclaration<RefreshTokenReuseMail> & { render(data: RefreshTokenReuseMailData): MailText } = {
  render,
  compose,
}

function render({ application, team, at, applications, times }: RefreshTokenReuseMailData): MailText {
  const ofTeam = team === null ? '' : ` to the team ${isolateName(team)}`
  return renderMail({
    subject: toSingleLine(`${truncate(toSingleLine(application), 60)} was signed out of your account`),
    paragraphs: [
      `The application ${isolateName(application)} used an old sign-in token a second time on ${formatDateTime(at, times)}. This can mean that somebody has copied the token.`,
      `We have therefore ended this connection of the application${ofTeam}. Its connections on other devices continue to work.`,
      'To continue to use the application on this device, sign in to it again.',
    ],
    link: {
      lead: 'If you no longer use the application, or suspect that somebody else has access to your device, revoke its access here:',
      button: 'Review connected applications',
      address: applications,
    },
    ending: ['If this happens again and again, please inform the provider of the application.'],
  })
}

async function compose({ database, authUrl }: ComposeParts, { userId, chainId, at }: RefreshTokenReuseMail): Promise<Composed> {
  const chain = await database.prisma.tokenChain.findUnique({
    where: { id: chainId },
    select: {
      grant: {
        select: {
          user: { select: { email: true, timezone: true, dateFormat: true } },
          client: { select: { name: true } },
          team: { select: { name: true } },
        },
      },
    },
  })
  if (!chain) return { dropped: 'deleted' }
  const { user, client, team } = chain.grant
  const date = new Date(at)
  const text = render({
    application: client.name,
    team: team?.name ?? null,
    at: date,
    applications: authUrl + applicationsPath,
    times: user,
  })
  return { secret: '', message: { to: user.email, ...text, messageId: messageId(authUrl, 'refresh-token-reuse', userId, chainId), date } }
}

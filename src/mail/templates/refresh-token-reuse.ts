import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { RefreshTokenReuseMail } from '../../../schema/core/mails/mails.ts'
import { applicationsPath } from '../../web/page-paths.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInText, nameInSubject } from '../names.ts'
import { recipientColumns, toRecipient } from '../recipient.ts'
import { formatDateTime } from '../../web/time-format.ts'
import type { MailContent } from './mail-layout.ts'

/** The values in the text. */
export interface RefreshTokenReuseMailData {
  application: string
  /** Name of the team of the grant, or null. */
  team: string | null
  /** Time at which the connection was ended. */
  at: Date
  /** The page with the user's connected applications. */
  applications: string
  /** Settings by which the mail shows times to the recipient. */
  times?: TimeSettings
}

/** A mail to a user for whom a refresh token was used a second time (docs/decisions/refresh-tokens.md#refresh). */
export const refreshTokenReuseMail: MailDeclaration<RefreshTokenReuseMail> & {
  buildContent(data: RefreshTokenReuseMailData): MailContent
} = {
  buildContent,
  compose,
}

function buildContent({ application, team, at, applications, times }: RefreshTokenReuseMailData): MailContent {
  const ofTeam = team === null ? '' : ` to the team “${nameInText(team)}”`
  return {
    subject: `${team === null ? '' : `${nameInSubject(team)}: `}${nameInSubject(application)} was signed out of your account`,
    paragraphs: [
      `The app “${nameInText(application)}” used an old sign-in token a second time on ${formatDateTime(at, times)}. Someone else may have copied the token.`,
      `To protect your account, we ended this connection of the app${ofTeam}. Its connections on other devices are not affected.`,
      'To keep using the app on this device, sign in to it again.',
    ],
    link: {
      lead: 'If you no longer use the app, or think that someone else has access to your device, revoke its access:',
      button: 'Open connected apps',
      address: applications,
    },
    ending: ['If this happens often, contact the provider of the app.'],
    reason: 'the app is connected to your account',
  }
}

async function compose({ database, authUrl }: ComposeParts, { userId, chainId, at }: RefreshTokenReuseMail): Promise<Draft> {
  const chain = await database.prisma.tokenChain.findUnique({
    where: { id: chainId },
    select: {
      grant: {
        select: {
          user: { select: { email: true, ...recipientColumns } },
          client: { select: { name: true } },
          team: { select: { name: true } },
        },
      },
    },
  })
  if (!chain) return { dropped: 'deleted' }
  const { user, client, team } = chain.grant
  const date = new Date(at)
  const recipient = toRecipient(user)
  const content = buildContent({
    application: client.name,
    team: team?.name ?? null,
    at: date,
    applications: authUrl + applicationsPath,
    times: recipient,
  })
  const id = messageId(authUrl, 'refresh-token-reuse', userId, chainId)
  return { to: user.email, name: recipient.name, content, secret: '', messageId: id, date }
}

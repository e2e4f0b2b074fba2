import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { TeamDeletedMail } from '../../../schema/core/mails/mails.ts'
import { html } from '../html.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInHtml, nameInText, nameInSubject } from '../names.ts'
import { findRecipient } from '../recipient.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { deletedTeamsPath } from '../../web/page-paths.ts'
import type { MailContent } from './mail-layout.ts'

/** The values in the text. Names are unmodified user input. */
interface TeamDeletedMailData {
  /** Name of the user who deleted the team, or of the operator; null if the recipient did. */
  actor: string | null
  team: string
  slug: string
  deletedAt: Date
  restorableUntil: Date
  /** The page on which owners restore teams. */
  deletedTeams: string
  /** Settings by which the mail shows times to the recipient. */
  times?: TimeSettings | undefined
}

/** A mail to every owner of a deleted team, unless it was restored before the mail is sent. */
export const teamDeletedMail: MailDeclaration<TeamDeletedMail> & { buildContent(data: TeamDeletedMailData): MailContent } = {
  buildContent,
  compose,
}

function buildContent({ actor, team, slug, deletedAt, restorableUntil, deletedTeams, times }: TeamDeletedMailData): MailContent {
  const at = formatDateTime(deletedAt, times)
  const until = formatDateTime(restorableUntil, times)
  return {
    subject: `${nameInSubject(team)}: team deleted`,
    paragraphs: [
      {
        text: `${actor === null ? 'You' : nameInText(actor)} deleted the team “${nameInText(team)}” (${slug}) on ${at}.`,
        html: html`${actor === null ? 'You' : nameInHtml(actor)} deleted the team &#8220;${nameInHtml(team)}&#8221; (${slug}) on ${at}.`,
      },
      'Its members no longer have access. Its tokens and connected apps stopped working, and pending invitations were revoked.',
      `An owner can restore the team, with its members, tokens and connected apps, until ${until}. After that it is permanently deleted. Only its invoices are kept, as the law requires.`,
    ],
    link: { lead: 'Restore the team:', button: 'View deleted teams', address: deletedTeams },
    ending: ['If you expected this, you can ignore this email.'],
    reason: `you are an owner of the team “${nameInText(team)}”`,
  }
}

async function compose({ database, authUrl }: ComposeParts, { teamId, recipient, actor, at, until }: TeamDeletedMail): Promise<Draft> {
  const team = await database.prisma.team.findUnique({ where: { id: teamId } })
  if (team?.deletedAt?.toISOString() !== at) return { dropped: 'restored' }
  const { name, slug, deletedAt } = team
  const owner = await findRecipient(database, recipient)
  return {
    to: recipient,
    name: owner.name,
    content: buildContent({
      actor,
      team: name,
      slug,
      deletedAt,
      restorableUntil: new Date(until),
      deletedTeams: authUrl + deletedTeamsPath,
      times: owner,
    }),
    secret: '',
    messageId: messageId(authUrl, 'team-deleted', teamId, recipient, at),
    date: deletedAt,
  }
}

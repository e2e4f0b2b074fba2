import type { TeamDeletedMail, TimeSettings } from '../../../schema/core/context.ts'
import { restorableUntil } from '../../../schema/teams/deletion.ts'
import { isolateName, toSingleLine, truncate } from '../../web/display-name.ts'
import { html } from '../html.ts'
import type { ComposeParts, Composed, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { timesOfRecipient } from '../recipient-times.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { renderMail } from './layout.ts'
import type { MailText } from './layout.ts'

/** The values in the text. Names are unmodified user input and are shown as plain text. */
interface TeamDeletedMailData {
  /** Name of the user who deleted the team, or of the operator. */
  actor: string
  team: string
  slug: string
  deletedAt: Date
  /** How the recipient reads times. */
  times?: TimeSettings | undefined
}

/** To every owner of a deleted team, unless it was restored before the mail is sent. */
export const teamDeletedMail: MailDeclaration<TeamDeletedMail> & { render(data: TeamDeletedMailData): MailText } = { render, compose }

function render({ actor, team, slug, deletedAt, times }: TeamDeletedMailData): MailText {
  const at = formatDateTime(deletedAt, times)
  const until = formatDateTime(restorableUntil(deletedAt), times)
  return renderMail({
    subject: toSingleLine(`The team ${truncate(toSingleLine(team), 60)} was deleted`),
    paragraphs: [
      {
        text: `${isolateName(actor)} deleted the team ${isolateName(team)} (${slug}) on ${at}.`,
        html: html`<strong><bdi>${toSingleLine(actor)}</bdi></strong> deleted the team
          <strong><bdi>${toSingleLine(team)}</bdi></strong> (${slug}) on ${at}.`,
      },
      'Its members can no longer open it. Its access tokens and the applications that were connected to it no longer work, and open invitations are revoked.',
      `Until ${until} an owner can restore the team, with its members, tokens and connected apps: open Your account, then Deleted teams. If you cannot sign in, contact those who run this service and name the team’s slug: ${slug}`,
    ],
    ending: [
      'After that day the team is erased for good; only its invoices are kept, as the law requires.',
      'You receive this mail because you are an owner of the team. If the deletion was intended, there is nothing to do.',
    ],
  })
}

async function compose({ database, authUrl }: ComposeParts, { teamId, recipient, actor, at }: TeamDeletedMail): Promise<Composed> {
  const team = await database.prisma.team.findUnique({ where: { id: teamId } })
  if (team?.deletedAt?.toISOString() !== at) return { dropped: 'restored' }
  const { name, slug, deletedAt } = team
  const text = render({ actor, team: name, slug, deletedAt, times: await timesOfRecipient(database, recipient) })
  return {
    secret: '',
    message: { to: recipient, ...text, messageId: messageId(authUrl, 'team-deleted', teamId, recipient, at), date: deletedAt },
  }
}

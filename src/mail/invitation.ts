import type { Role } from '../../prisma/generated/client/enums.ts'
import { inSentence, oneLine, shortened } from '../names.ts'
import { html } from './html.ts'
import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { moment } from './moment.ts'

/** What the mail says. Names as people wrote them: whatever they hold is shown as text. */
export interface InvitationMailData {
  /** Name of the person who invites, or of the service of the team that does. */
  inviter: string
  team: string
  role: Role
  expiresAt: Date
  /** IANA time zone of the team; null: UTC. */
  timezone: string | null
  link: string
}

const roles: Record<Role, string> = {
  owner: 'an owner, who manages the team, its members and its invoices',
  member: 'a member',
  billing: 'a billing member, who sees the team’s invoices',
}

/** The one place of the mail's words. */
export function invitationMail({ inviter, team, role, expiresAt, timezone, link }: InvitationMailData): Words {
  return letter({
    subject: oneLine(`${shortened(oneLine(inviter), 60)} invites you to the team ${shortened(oneLine(team), 60)}`),
    paragraphs: [
      {
        text: `${inSentence(inviter)} invites you to join the team ${inSentence(team)} as ${roles[role]}.`,
        html: html`<strong><bdi>${oneLine(inviter)}</bdi></strong> invites you to join the team
          <strong><bdi>${oneLine(team)}</bdi></strong> as ${roles[role]}.`,
      },
    ],
    link: { lead: 'Accept or decline the invitation here:', button: 'Answer the invitation', address: link },
    ending: [
      `The invitation ends on ${moment(expiresAt, timezone)}.`,
      'If you did not expect this invitation, you need not do anything: without your answer nothing happens, and it ends by itself. ' +
        'The link is meant for you alone; please do not pass it on.',
    ],
  })
}

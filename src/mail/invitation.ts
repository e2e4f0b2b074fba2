import type { Role } from '../../prisma/generated/client/enums.ts'
import { html } from './html.ts'
import type { Message } from './message.ts'
import { inSentence, oneLine, shortened } from './words.ts'

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

/** The one place of the mail's words: subject, plain text and HTML say the same. */
export function invitationMail({
  inviter,
  team,
  role,
  expiresAt,
  timezone,
  link,
}: InvitationMailData): Pick<Message, 'subject' | 'text' | 'html'> {
  const until = moment(expiresAt, timezone)
  const unexpected =
    'If you did not expect this invitation, you need not do anything: without your answer nothing happens, and it ends by itself. ' +
    'The link is meant for you alone; please do not pass it on.'
  return {
    subject: oneLine(`${shortened(oneLine(inviter), 60)} invites you to the team ${shortened(oneLine(team), 60)}`),
    text: `Hello,

${inSentence(inviter)} invites you to join the team ${inSentence(team)} as ${roles[role]}.

Accept or decline the invitation here:

${link}

The invitation ends on ${until}.

${unexpected}
`,
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>Invitation</title>
        </head>
        <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
          <div style="max-width:560px;margin:0 auto">
            <p>Hello,</p>
            <p>
              <strong><bdi>${oneLine(inviter)}</bdi></strong> invites you to join the team <strong><bdi>${oneLine(team)}</bdi></strong> as
              ${roles[role]}.
            </p>
            <p>
              <a
                href="${link}"
                style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none"
                >Answer the invitation</a
              >
            </p>
            <p>Or open this address in your browser:<br /><a href="${link}" style="word-break:break-all">${link}</a></p>
            <p>The invitation ends on ${until}.</p>
            <p style="font-size:14px">${unexpected}</p>
          </div>
        </body>
      </html> `.markup,
  }
}

/** `Saturday, 28 November 2026 at 09:30 (Europe/Berlin)`. Put together here: the punctuation of ICU changes with its versions. */
function moment(at: Date, timezone: string | null): string {
  const timeZone = timezone ?? 'UTC'
  const fields = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const
  const parts = new Intl.DateTimeFormat('en-GB', { ...fields, timeZone }).formatToParts(at)
  const { weekday, day, month, year, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${weekday}, ${day} ${month} ${year} at ${hour}:${minute} (${timeZone})`
}

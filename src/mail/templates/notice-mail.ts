import type { TimeSettings } from '../../../schema/core/context.ts'
import type { NoticeKind, NoticeMail } from '../../../schema/core/notices/notices.ts'
import { describeDevice } from '../../../schema/security/sessions/user-agent.ts'
import { isolateName } from '../../web/display-name.ts'
import type { ComposeParts, Composed, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { renderMail } from './layout.ts'
import type { MailText } from './layout.ts'
import { notices } from './notices.ts'

/** The mails about changes: one declaration for all kinds. */
export const noticeMail: MailDeclaration<NoticeMail> = { compose }

async function compose({ database, authUrl }: ComposeParts, mail: NoticeMail): Promise<Composed> {
  const { kind, userId, recipient, at } = mail
  const user = await database.prisma.user.findUnique({ where: { id: userId }, select: { email: true, timezone: true, dateFormat: true } })
  if (!user) return { dropped: 'no account' }
  const to = recipient ?? user.email
  return {
    secret: '',
    message: { to, ...renderNotice(mail, to, authUrl, user), messageId: messageId(authUrl, kind, userId, at), date: new Date(at) },
  }
}

/** Renders a notice for an account with this address. */
export function renderNotice<Kind extends NoticeKind>(
  mail: Omit<NoticeMail<Kind>, 'userId'>,
  account: string,
  authUrl: string,
  times?: TimeSettings,
): MailText {
  const textOf = notices[mail.kind]
  const { subject, event, link, ending } = textOf(mail.data, account)
  return renderMail({
    subject,
    paragraphs: [event, circumstancesOf(mail, times)],
    link: { ...link, address: authUrl + link.path },
    ending: [ending],
  })
}

/** `This was on 28 Nov 2026, 09:30 UTC, in Firefox on Linux at the address 192.0.2.1.` */
function circumstancesOf({ at, by, browser }: Pick<NoticeMail, 'at' | 'by' | 'browser'>, times?: TimeSettings): string {
  const place = browser ? `, in ${describeDevice(browser.userAgent)} at the address ${browser.address}` : ''
  return `This was on ${formatDateTime(at, times)}${place}${by === undefined ? '' : `, by ${isolateName(by)}`}.`
}

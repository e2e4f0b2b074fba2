import type { NoticeKind, NoticeMail } from '../../../schema/core/notices/notices.ts'
import { describeDevice } from '../../../schema/security/sessions/user-agent.ts'
import { formatDateTime } from '../../web/time-format.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInText } from '../names.ts'
import { recipientColumns, toRecipient } from '../recipient.ts'
import type { Recipient } from '../recipient.ts'
import type { MailContent } from './mail-layout.ts'
import { accountNotices } from './notices/account-notices.ts'
import { appNotices } from './notices/app-notices.ts'
import { sentence } from './notices/notice-text.ts'
import type { NoticeTexts } from './notices/notice-text.ts'
import { signInNotices } from './notices/sign-in-notices.ts'
import { staffNotices } from './notices/staff-notices.ts'
import { teamNotices } from './notices/team-notices.ts'

/**
 * All notices, which create their text from their values. To add one, add its values to `Notices` in schema/core/notices/notices.ts and its
 * text to one of these files, and send it with `sendNotice`.
 */
export const notices: NoticeTexts = { ...accountNotices, ...teamNotices, ...signInNotices, ...appNotices, ...staffNotices }

/** The mails about changes, with one declaration for all kinds. */
export const noticeMail: MailDeclaration<NoticeMail> = { compose }

async function compose({ database, authUrl, brand }: ComposeParts, mail: NoticeMail): Promise<Draft> {
  const { kind, userId, at } = mail
  const user = await database.prisma.user.findUnique({ where: { id: userId }, select: { email: true, ...recipientColumns } })
  if (!user) return { dropped: 'no account' }
  const to = mail.recipient ?? user.email
  const recipient = toRecipient(user)
  return {
    to,
    name: recipient.name,
    content: noticeContent(mail, { account: to, recipient, authUrl, ...brand }),
    secret: '',
    messageId: messageId(authUrl, kind, userId, at),
    date: new Date(at),
  }
}

interface NoticeContext extends Pick<ComposeParts['brand'], 'name' | 'support'> {
  /** The email address of the account. */
  account: string
  recipient: Recipient
  authUrl: string
}

function noticeContent<Kind extends NoticeKind>(
  mail: Omit<NoticeMail<Kind>, 'userId'>,
  { account, recipient, authUrl, name: product, support }: NoticeContext,
): MailContent {
  const formatText = notices[mail.kind]
  const contact = support === undefined ? 'contact the operator of this service' : `contact support at ${support}`
  const { by = null, browser, staffReason } = mail
  const device = browser ? describeDevice(browser.userAgent) : null
  const { subject, event, saysWho, link, ending, reason } = formatText(mail.data, { account, product, contact, recipient, by, device })
  return {
    subject,
    paragraphs: [
      event,
      listCircumstances(mail, recipient, saysWho === undefined),
      ...(staffReason === undefined ? [] : [sentence`The reason is: ${staffReason}`]),
    ],
    link: { ...link, address: authUrl + link.path },
    ending: [ending],
    reason,
  }
}

/** Returns a text such as `This happened on 28 Nov 2026, 09:30 UTC, in Firefox on Linux (IP address 192.0.2.1).` */
function listCircumstances(
  { at, by, browser }: Pick<NoticeMail, 'at' | 'by' | 'browser'>,
  recipient: Recipient,
  namesActor: boolean,
): string {
  const place = browser ? `, in ${describeDevice(browser.userAgent)} (IP address ${browser.address})` : ''
  return `This happened on ${formatDateTime(at, recipient)}${place}${by === undefined || !namesActor ? '' : `, by ${nameInText(by)}`}.`
}

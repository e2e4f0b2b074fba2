import type { Mail } from '../../../schema/core/mails/mails.ts'
import type { NoticeKind } from '../../../schema/core/notices/notices.ts'
import { nameInText } from '../../../src/mail/names.ts'
import {
  accountExistsMail,
  changeEmailMail,
  proveAccountMail,
  resetPasswordMail,
  verifyEmailMail,
} from '../../../src/mail/templates/account-mails.ts'
import { invitationMail } from '../../../src/mail/templates/invitation.ts'
import { invoiceMail } from '../../../src/mail/templates/invoice.ts'
import type { MailContent } from '../../../src/mail/templates/mail-layout.ts'
import { notices } from '../../../src/mail/templates/notice-mail.ts'
import type { NoticeText } from '../../../src/mail/templates/notices/notice-text.ts'
import { refreshTokenReuseMail } from '../../../src/mail/templates/refresh-token-reuse.ts'
import { signInCodeMail } from '../../../src/mail/templates/sign-in-code.ts'
import { teamDeletedMail } from '../../../src/mail/templates/team-deleted.ts'
import { tokenExpiresMail } from '../../../src/mail/templates/token-expires.ts'
import { brand } from './brand.ts'

const at = new Date('2026-11-28T08:30:00Z')
const address = 'https://accounts.example/page'

interface Told {
  /** Of the team, the token, the app, and everything else that a user can name. */
  name: string
  /** Who made the change; null for the recipient. */
  by: string | null
  email: string
}

/** The content of every mail by its kind. Its links lead to https://accounts.example. */
export function everyMail({ name, by, email }: Told): Record<Mail['kind'], MailContent> {
  // As the mails are composed: these texts take names that are safe already.
  const link = { email: nameInText(email), account: nameInText(email), product: brand.name, link: address, expiresAt: at }
  const invoice = {
    team: name,
    number: 'NW-1',
    currency: 'eur',
    total: 1190,
    amountDue: 1190,
    dueDate: at,
    billTo: [name, 'DE123456789'],
    address,
  }
  const own: Record<Exclude<Mail['kind'], NoticeKind>, MailContent> = {
    invitation: invitationMail.buildContent({
      inviter: { name: by ?? name },
      team: name,
      role: 'member',
      products: ['cert', 'flow'],
      expiresAt: at,
      link: address,
    }),
    'verify-email': verifyEmailMail.buildContent(link),
    'account-exists': accountExistsMail.buildContent(link),
    'change-email': changeEmailMail.buildContent(link),
    'reset-password': resetPasswordMail.buildContent(link),
    'prove-account': proveAccountMail.buildContent(link),
    'sign-in-code': signInCodeMail.buildContent({ ...link, code: '123456' }),
    'invoice-issued': invoiceMail.buildContent({ kind: 'invoice-issued', ...invoice }),
    'invoice-overdue': invoiceMail.buildContent({ kind: 'invoice-overdue', ...invoice }),
    'refresh-token-reuse': refreshTokenReuseMail.buildContent({ application: name, team: name, at, applications: address }),
    'team-deleted': teamDeletedMail.buildContent({
      actor: by,
      team: name,
      slug: 'acme',
      deletedAt: at,
      restorableUntil: at,
      deletedTeams: address,
    }),
    'token-expires': tokenExpiresMail.buildContent({ name, team: name, expiresAt: at, address }),
  }
  return { ...own, ...noticeContents({ name, by, email }) }
}

function noticeContents({ name, by, email }: Told): Record<NoticeKind, MailContent> {
  const recipient = { name, timezone: null, dateFormat: 'day_month_year' }
  const context = { account: email, product: brand.name, contact: 'help', recipient, by, device: 'Firefox on Linux' }
  const chosen = {
    name,
    provider: name,
    team: name,
    to: name,
    from: by ?? name,
    email,
    slug: 'acme',
    role: 'owner',
    left: 1,
    until: at,
    host: 'example.com',
    domain: 'example.com',
    reason: 'failing',
    what: 'created',
    issuer: 'https://ci.example.com',
  }
  const other: Record<string, object> = {
    'sign-in-required': { ...chosen, from: at },
    'two-factor-required': { team: name, from: at },
    'act-of-staff': { action: 'disableClient', name, team: { name, slug: 'acme' }, isEnabled: null },
  }
  const contents = Object.entries<(data: any, context: any) => NoticeText>(notices).map(([kind, textOf]) => {
    const data = other[kind] ?? chosen
    const { subject, event, link, ending, reason } = textOf(data, context)
    return [kind, { subject, paragraphs: [event], link: { lead: link.lead, button: link.button, address }, ending: [ending], reason }]
  })
  return Object.fromEntries(contents)
}

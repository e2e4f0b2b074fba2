import { canBeMuted } from '../../schema/core/mails/mail-choices.ts'
import type { Mail } from '../../schema/core/mails/mails.ts'
import { canReceiveMail } from '../../schema/core/mails/placeholder-address.ts'
import type { NoticeMail } from '../../schema/core/notices/notices.ts'
import { notificationsPath } from '../web/page-paths.ts'
import type { Compose, ComposeParts, MailDeclaration } from './mail-declaration.ts'
import { accountExistsMail, changeEmailMail, proveAccountMail, resetPasswordMail, verifyEmailMail } from './templates/account-mails.ts'
import { invoiceMail } from './templates/invoice.ts'
import { renderMail } from './templates/mail-layout.ts'
import { signInCodeMail } from './templates/sign-in-code.ts'
import { invitationMail } from './templates/invitation.ts'
import { noticeMail } from './templates/notice-mail.ts'
import { refreshTokenReuseMail } from './templates/refresh-token-reuse.ts'
import { teamDeletedMail } from './templates/team-deleted.ts'
import { tokenExpiresMail } from './templates/token-expires.ts'

type OwnMail = Exclude<Mail, NoticeMail>

/** The members of a mail of this kind in the outbox. */
type MailOf<Kind, M = OwnMail> = M extends { kind: infer Kinds } ? (Kind extends Kinds ? M : never) : never

/**
 * Every mail that has its own template, by its kind. To add one, write its file in templates/ and add its line here. All others are
 * notices, which templates/notice-mail.ts lists.
 */
const mails = {
  invitation: invitationMail,
  'verify-email': verifyEmailMail,
  'account-exists': accountExistsMail,
  'change-email': changeEmailMail,
  'reset-password': resetPasswordMail,
  'prove-account': proveAccountMail,
  'sign-in-code': signInCodeMail,
  'refresh-token-reuse': refreshTokenReuseMail,
  'team-deleted': teamDeletedMail,
  'token-expires': tokenExpiresMail,
  'invoice-issued': invoiceMail,
  'invoice-overdue': invoiceMail,
} satisfies { [Kind in OwnMail['kind']]: MailDeclaration<MailOf<Kind>> }

const declarations = new Map<string, MailDeclaration>(Object.entries(mails))

/** Composes a mail of any kind at the time it is sent. */
export const createCompose =
  (parts: ComposeParts): Compose =>
  async (mail) => {
    const declaration: MailDeclaration = declarations.get(mail.kind) ?? noticeMail
    const draft = await declaration.compose(parts, mail)
    if ('dropped' in draft) return draft
    if (!canReceiveMail(draft.to)) return { dropped: 'the account has no email address' }
    const { content, name, secret, ...envelope } = draft
    // An address without an account has no page of notifications.
    const isToUser = 'userId' in mail && mail.userId !== undefined
    const choices = isToUser && canBeMuted(mail.kind) ? parts.authUrl + notificationsPath : undefined
    return { secret, message: { ...envelope, ...renderMail(content, parts.brand, name, choices) } }
  }

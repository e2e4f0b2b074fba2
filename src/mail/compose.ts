import type { Database } from '../../prisma/client.ts'
import type { EmailChangedMail, LinkMail, Mail, NoticeMail } from '../../schema/context.ts'
import { mailLinkSecret } from '../../schema/mail-link.ts'
import { sha256 } from '../../schema/secret.ts'
import { forgottenPasswordPath } from '../account-site/addresses.ts'
import { accountExistsMail } from './account-exists.ts'
import { changeEmailMail } from './change-email.ts'
import type { Composed, ComposeParts } from './composed.ts'
import { composeInvitation } from './compose-invitation.ts'
import { emailChangedMail } from './email-changed.ts'
import type { Words } from './letter.ts'
import type { LinkMailData } from './link-mail.ts'
import { mailLink } from './link.ts'
import { messageId } from './message-id.ts'
import type { NoticeMailData } from './notice-mail.ts'
import { passwordChangedMail } from './password-changed.ts'
import { resetPasswordMail } from './reset-password.ts'
import { secondFactorOffMail } from './second-factor-off.ts'
import { verifyEmailMail } from './verify-email.ts'

export type Compose = (mail: Mail) => Promise<Composed>

/**
 * Reads what the mail is about at the moment it leaves. The outbox holds no secret, it is derived here; and what is
 * stale, since its link was replaced, used or revoked or has expired, is dropped: it would be a dead link.
 */
export function createCompose(parts: ComposeParts): Compose {
  return (mail) => {
    switch (mail.kind) {
      case 'invitation':
        return composeInvitation(parts, mail)
      case 'verify-email':
      case 'account-exists':
      case 'change-email':
      case 'reset-password':
        return composeLink(parts, mail)
      case 'password-changed':
      case 'second-factor-off':
      case 'email-changed':
        return composeNotice(parts, mail)
    }
  }
}

const linkMails: Record<LinkMail['kind'], (data: LinkMailData) => Words> = {
  'verify-email': verifyEmailMail,
  'account-exists': accountExistsMail,
  'change-email': changeEmailMail,
  'reset-password': resetPasswordMail,
}

async function composeLink({ database, now, deriveSecret, authUrl }: ComposeParts, { kind, linkId }: LinkMail): Promise<Composed> {
  const found = await database.prisma.mailLink.findUnique({ where: { id: linkId }, include: { user: true } })
  // Nobody was there to write to, or the hour's mails were spent, or the account was deleted meanwhile.
  if (!found) return { dropped: 'no account' }
  const { email, nonce, tokenHash, createdAt, expiresAt, usedAt, user } = found
  if (usedAt) return { dropped: 'used' }
  if (expiresAt <= now()) return { dropped: 'expired or replaced' }
  if (user.disabledAt) return { dropped: 'disabled' }
  const secret = mailLinkSecret({ deriveSecret }, nonce)
  if (!sha256(secret).equals(tokenHash)) throw new Error('SECRET_KEY is not the one under which the link was made')
  const words = linkMails[kind]({ email, account: user.email, link: mailLink(authUrl, secret), expiresAt })
  return { secret, message: { to: email, ...words, messageId: messageId(authUrl, kind, linkId), date: createdAt } }
}

const noticeMails: Record<NoticeMail['kind'], (data: NoticeMailData) => Words> = {
  'password-changed': passwordChangedMail,
  'second-factor-off': secondFactorOffMail,
}

async function composeNotice({ database, authUrl }: ComposeParts, mail: NoticeMail | EmailChangedMail): Promise<Composed> {
  const { kind, userId } = mail
  const at = new Date(mail.at)
  const user = await findUser(database, userId)
  if (!user) return { dropped: 'no account' }
  const [to, words] =
    mail.kind === 'email-changed'
      ? [mail.recipient, emailChangedMail({ recipient: mail.recipient, at })]
      : [user.email, noticeMails[mail.kind]({ email: user.email, at, forgottenPassword: authUrl + forgottenPasswordPath })]
  return { secret: '', message: { to, ...words, messageId: messageId(authUrl, kind, userId, mail.at), date: at } }
}

const findUser = ({ prisma }: Database, id: string) => prisma.user.findUnique({ where: { id }, select: { email: true } })

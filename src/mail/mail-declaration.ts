import type { Ports } from '../../schema/core/ports.ts'
import type { Mail } from '../../schema/core/mails/mails.ts'
import type { Brand } from '../web/brand/brand.ts'
import type { Message } from './message.ts'
import type { MailContent } from './templates/mail-layout.ts'

/** The message with the secret of its link, or the reason why the mail is out of date and not sent. */
export type Composed = { message: Message; secret: string } | { dropped: string }

/** A mail before its content is rendered, or the reason why it is not sent. */
export type Draft = MailDraft | { dropped: string }

interface MailDraft extends Pick<Message, 'to' | 'messageId' | 'date'> {
  content: MailContent
  /** Name in the salutation; null if it is unknown or not confirmed. */
  name: string | null
  /** Secret of the mail's link, or empty. */
  secret: string
}

export interface ComposeParts extends Pick<Ports, 'database' | 'now' | 'deriveSecret'> {
  authUrl: string
  brand: Brand
}

export type Compose = (mail: Mail) => Promise<Composed>

/**
 * One kind of mail. It is composed from the current data when it is sent. The outbox contains no secret, because that of the link is
 * derived. A mail is dropped if its link was replaced, used or revoked or has expired.
 */
export interface MailDeclaration<M extends Mail = Mail> {
  compose(parts: ComposeParts, mail: M): Promise<Draft>
}

import type { Ports } from '../../schema/core/ports.ts'
import type { Mail } from '../../schema/core/mails/mails.ts'
import type { Brand } from '../web/brand/brand.ts'
import type { Message } from './message.ts'
import type { MailContent } from './templates/layout.ts'

/** The message with the secret of its link, or the reason why the mail is out of date and not sent. */
export type Composed = { message: Message; secret: string } | { dropped: string }

/** A mail before its content is rendered, or the reason why it is not sent. */
export type Draft = MailDraft | { dropped: string }

interface MailDraft extends Pick<Message, 'to' | 'messageId' | 'date'> {
  content: MailContent
  /** How the mail addresses its recipient; null if their name is unknown or not confirmed. */
  name: string | null
  /** The secret of its link, or empty. */
  secret: string
}

export interface ComposeParts extends Pick<Ports, 'database' | 'now' | 'deriveSecret'> {
  authUrl: string
  brand: Brand
}

export type Compose = (mail: Mail) => Promise<Composed>

/**
 * One kind of mail. It is composed from the current data when it is sent: the outbox holds no secret (the link's is
 * derived), and a mail whose link was replaced, used or revoked or has expired is dropped.
 */
export interface MailDeclaration<M extends Mail = Mail> {
  compose(parts: ComposeParts, mail: M): Promise<Draft>
}

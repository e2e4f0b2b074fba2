import type { Ports } from '../../schema/context.ts'
import type { Message } from './message.ts'

/** What a mail in the outbox has become: a message with the secret in it, or the reason why nothing is to be sent. */
export type Composed = { message: Message; secret: string } | { dropped: string }

export interface ComposeParts extends Pick<Ports, 'database' | 'now' | 'deriveSecret'> {
  authUrl: string
}

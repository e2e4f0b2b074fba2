import { createOutbox } from '../../../src/jobs/outbox.ts'
import type { Outbox, OutboxParts } from '../../../src/jobs/outbox.ts'
import { createMailer } from '../../../src/mail/mailer.ts'
import type { Mailer, MailerParts } from '../../../src/mail/mailer.ts'

export type MailOutbox = Mailer & Pick<Outbox, 'start' | 'stop'>
export type MailOutboxParts = OutboxParts & Omit<MailerParts, 'outbox'>

/** An outbox with the mailer registered, as in `src/main.ts`. */
export function createMailOutbox({ poolConfig, timing, ...parts }: MailOutboxParts): MailOutbox {
  const outbox = createOutbox({ poolConfig, log: parts.log, timing })
  return { ...createMailer({ ...parts, outbox }), start: outbox.start, stop: outbox.stop }
}

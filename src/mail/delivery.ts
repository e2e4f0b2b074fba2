import type { JobResult, JobWithMetadata } from 'pg-boss'
import type { Logger } from 'pino'
import type { Mail } from '../../schema/core/context.ts'
import { messageOf } from '../config/error-message.ts'
import { toSingleLine, truncate } from '../web/display-name.ts'
import type { Compose } from './mail-declaration.ts'
import type { Transport } from './message.ts'
import { isRejectedPermanently } from './smtp.ts'

export interface DeliveryParts {
  compose: Compose
  transport: Transport
  log: Logger
}

/** The result that is stored with the job. It never contains the secret of the link. */
export type Outcome = { messageId: string } | { dropped: string } | { error: string }

/**
 * Makes one attempt to deliver a mail. The result is: sent, dropped because it is out of date, failed and to be
 * retried, or failed permanently because the mail server rejected it. Never throws.
 */
export async function deliver({ compose, transport, log }: DeliveryParts, job: JobWithMetadata<Mail>): Promise<JobResult<Outcome>> {
  const { id, retryCount, retryLimit, data } = job
  let secret = ''
  try {
    const composed = await compose(data)
    if ('dropped' in composed) return { id, status: 'completed', output: composed }
    const { message } = composed
    secret = composed.secret
    await transport.send(message)
    return { id, status: 'completed', output: { messageId: message.messageId } }
  } catch (cause) {
    const error = describe(cause, secret)
    const attempt = retryCount + 1
    const isRejected = isRejectedPermanently(cause)
    if (isRejected || retryCount >= retryLimit)
      log.error({ mailId: id, kind: data.kind, attempt, error }, 'mail not sent, no further attempt')
    else log.warn({ mailId: id, kind: data.kind, attempt, error }, 'mail not sent, will be retried')
    // `deadletter` prevents further attempts. The queue has no dead letter queue, so the job stays listed as failed.
    return { id, status: isRejected ? 'deadletter' : 'failed', output: { error } }
  }
}

/** One line for operators without the secret: mail servers quote the text that they reject, including links. */
function describe(cause: unknown, secret: string): string {
  const line = toSingleLine(messageOf(cause))
  return truncate(secret === '' ? line : line.replaceAll(secret, '…'), 500)
}

import type { JobResult, JobWithMetadata } from 'pg-boss'
import type { Logger } from 'pino'
import type { Mail } from '../../schema/core/mails/mails.ts'
import type { Tracer } from '../../schema/core/observation/tracing.ts'
import { observe } from '../../schema/core/observation/observation.ts'
import { getErrorMessage } from '../config/error-message.ts'
import { getTraceId } from '../http/logging/request-fields.ts'
import { toSingleLine, truncate } from '../web/display-name.ts'
import type { Compose } from './mail-declaration.ts'
import { mailQueue } from './mail-records.ts'
import type { Transport } from './message.ts'
import { isRejectedPermanently } from './smtp.ts'

export interface DeliveryParts {
  compose: Compose
  transport: Transport
  log: Logger
  tracer?: Tracer | undefined
}

/** A mail in the queue, with the trace of the request that caused it. */
export type MailJob = Mail & { traceparent?: string | undefined }

/** Result that is stored with the job. It never contains the secret of the link. */
export type Outcome = { messageId: string } | { dropped: string } | { error: string }

/**
 * Makes one attempt to deliver a mail. The result is: sent, dropped because it is out of date, failed and to be
 * retried, or failed permanently because the mail server rejected it. Never throws.
 */
export async function deliver(parts: DeliveryParts, job: JobWithMetadata<MailJob>): Promise<JobResult<Outcome>> {
  const { tracer } = parts
  const { id, data } = job
  const { traceparent, kind } = data
  const log = traceparent === undefined ? parts.log : parts.log.child({ traceId: getTraceId(traceparent) })
  const attributes = { ...processing, 'messaging.message.id': id, 'mail.kind': kind }
  const span = tracer?.startSpan('process mail', { kind: 'consumer', attributes, traceparent })
  const attempt = () => attemptDelivery({ ...parts, log }, job)
  const result = await (span ? span.run(attempt) : attempt())
  span?.end({ 'mail.result': result.status }, result.status === 'completed' ? undefined : 'not sent')
  return result
}

// Semantic conventions for messaging. The kind of mail and the result have no standard name.
const processing = {
  'messaging.system': 'pg-boss',
  'messaging.destination.name': mailQueue,
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
}

async function attemptDelivery({ compose, transport, log }: DeliveryParts, job: JobWithMetadata<MailJob>): Promise<JobResult<Outcome>> {
  const { id, retryCount, retryLimit, data } = job
  let secret = ''
  try {
    const composed = await compose(data)
    if ('dropped' in composed) {
      observe('mail', { result: 'dropped' })
      return { id, status: 'completed', output: composed }
    }
    const { message } = composed
    secret = composed.secret
    await transport.send(message)
    observe('mail', { result: 'sent' })
    return { id, status: 'completed', output: { messageId: message.messageId } }
  } catch (cause) {
    const error = describe(cause, secret)
    const attempt = retryCount + 1
    const isRejected = isRejectedPermanently(cause)
    const isGivenUp = isRejected || retryCount >= retryLimit
    observe('mail', { result: isGivenUp ? 'failed' : 'retried' })
    if (isGivenUp) log.error({ mailId: id, kind: data.kind, attempt, error }, 'mail not sent, no further attempt')
    else log.warn({ mailId: id, kind: data.kind, attempt, error }, 'mail not sent, will be retried')
    // `deadletter` prevents further attempts. The queue has no dead letter queue, so the job stays listed as failed.
    return { id, status: isRejected ? 'deadletter' : 'failed', output: { error } }
  }
}

/** Returns one line for operators without the secret, because mail servers quote the text that they reject, including links. */
function describe(cause: unknown, secret: string): string {
  const line = toSingleLine(getErrorMessage(cause))
  return truncate(secret === '' ? line : line.replaceAll(secret, '…'), 500)
}

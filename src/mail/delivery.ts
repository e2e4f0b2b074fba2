import type { JobResult, JobWithMetadata } from 'pg-boss'
import type { Logger } from 'pino'
import type { Mail } from '../../schema/context.ts'
import { messageOf } from '../failure.ts'
import { oneLine, shortened } from '../names.ts'
import type { Compose } from './compose.ts'
import type { Transport } from './message.ts'
import { isRefusedForGood } from './smtp.ts'

export interface DeliveryParts {
  compose: Compose
  transport: Transport
  log: Logger
}

/** What a delivery leaves behind with its job: never the secret of the link. */
export type Outcome = { messageId: string } | { dropped: string } | { error: string }

/**
 * Delivers one mail and says what became of it: sent, dropped since it was stale, to be tried again, or given up
 * since the mail server refused it for good. Never throws.
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
  } catch (fault) {
    const error = describe(fault, secret)
    const attempt = retryCount + 1
    const isRefused = isRefusedForGood(fault)
    if (isRefused || retryCount >= retryLimit) log.error({ mailId: id, kind: data.kind, attempt, error }, 'mail given up')
    else log.warn({ mailId: id, kind: data.kind, attempt, error }, 'mail not sent, will be tried again')
    // pg-boss's word for "not again"; the queue has no dead letter queue, so the job stays where operators see it.
    return { id, status: isRefused ? 'deadletter' : 'failed', output: { error } }
  }
}

/** One line for operators. Mail servers quote what they refuse, addresses of links included. */
function describe(fault: unknown, secret: string): string {
  const line = oneLine(messageOf(fault))
  return shortened(secret === '' ? line : line.replaceAll(secret, '…'), 500)
}

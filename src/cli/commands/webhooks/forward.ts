import { signatureHeaders } from '../../../../schema/webhooks/secret.ts'
import { reasonOf } from './event-feed.ts'
import type { FeedEvent } from './event-feed.ts'

/** The timeout is the same as for a delivery (schema/webhooks/send-event.ts). */
const timeoutMilliseconds = 15_000

/** Outcome of an attempt to forward an event. */
export interface Forwarded {
  id: string
  type: string
  /** Status code; null without a response. */
  status: number | null
  latency_milliseconds: number
  /** Reason why there was no response. */
  error: string | null
}

interface ForwardOptions {
  url: string
  secret: Uint8Array
  userAgent: string
  signal: AbortSignal
}

/** Sends an event as a delivery does: signed, once, without following redirects. The result contains the error. */
export async function forwardEvent(event: FeedEvent, { url, secret, userAgent, signal }: ForwardOptions): Promise<Forwarded> {
  const started = performance.now()
  const { id, type } = event
  const ended = (status: number | null, error: string | null): Forwarded => {
    return { id, type, status, latency_milliseconds: Math.round(performance.now() - started), error }
  }
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signatureHeaders([secret], id, new Date(), body) }
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)])
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limits })
    await response.body?.cancel()
    return ended(response.status, null)
  } catch (error) {
    return ended(null, reasonOf(error))
  }
}

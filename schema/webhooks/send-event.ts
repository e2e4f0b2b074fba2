import type { WebhookDeliveryResult } from '../../prisma/generated/client/enums.ts'
import type { Ports } from '../core/ports.ts'
import { OutgoingError } from '../core/outgoing/outgoing.ts'
import { eventBody } from '../events/event.ts'
import type { TeamEventNode } from '../events/event.ts'
import { decryptSecret, signatureHeaders } from './secret.ts'

/** The columns of a webhook that a delivery needs. */
export interface Endpoint {
  id: string
  url: string
  secret: Uint8Array
  previousSecret: Uint8Array | null
  previousSecretExpiresAt: Date | null
}

/** The result of an attempt. */
export interface Attempt {
  at: Date
  result: WebhookDeliveryResult
  /** Status code of the response; null without one. */
  status: number | null
  latencyMilliseconds: number
  responseBody: string | null
  /** The reason why there was no response. */
  error: string | null
  /** Waiting time that the response requests. */
  retryAfterSeconds: number
}

/** Timeout of one attempt, DNS lookup included. */
const timeoutMilliseconds = 15_000
/** Maximum number of bytes of a response that are stored. */
const responseBytes = 4096

export const serializeEvent = (event: TeamEventNode): string => JSON.stringify(eventBody(event))

/** Delivers an event once. Failures are returned as the result and not thrown. */
export async function sendEvent(ports: Pick<Ports, 'outgoing' | 'now' | 'deriveSecret'>, endpoint: Endpoint, event: TeamEventNode) {
  const at = ports.now()
  const started = performance.now()
  const attempt = (rest: Partial<Attempt>): Attempt => ({
    at,
    result: 'failed',
    status: null,
    latencyMilliseconds: Math.round(performance.now() - started),
    responseBody: null,
    error: null,
    retryAfterSeconds: 0,
    ...rest,
  })
  const body = serializeEvent(event)
  const secrets = listSecrets(ports, endpoint, at)
  if (!secrets) return attempt({ error: 'The secret cannot be decrypted. Rotate it.' })
  try {
    const headers = { 'content-type': 'application/json', ...signatureHeaders(secrets, event.id, at, body) }
    const request = {
      url: endpoint.url,
      method: 'POST',
      headers,
      body,
      timeoutMilliseconds,
      maxBytes: responseBytes,
      // The endpoint has responded by then, so another attempt would deliver the event twice.
      acceptsCutBody: true,
    } as const
    const { status, headers: received, body: text } = await ports.outgoing.send(request)
    const isSuccess = status >= 200 && status < 300
    return attempt({
      result: isSuccess ? 'delivered' : 'failed',
      status,
      // NUL is the only character that PostgreSQL cannot store.
      responseBody: text.replaceAll('\0', ''),
      retryAfterSeconds: isSuccess ? 0 : parseRetryAfter(received['retry-after'], ports.now()),
    })
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return attempt({ error: error.message })
  }
}

/** Returns the current secret, and the previous one while it still signs. */
export function listSecrets(
  ports: Pick<Ports, 'deriveSecret'>,
  { id, secret, previousSecret, previousSecretExpiresAt }: Endpoint,
  at: Date,
) {
  const isLive = previousSecret && previousSecretExpiresAt && previousSecretExpiresAt > at
  const secrets = [secret, ...(isLive ? [previousSecret] : [])].map((encrypted) => decryptSecret(ports, encrypted, id))
  return secrets[0] ? secrets.filter((each) => each !== null) : null
}

/** Returns the seconds of a `Retry-After`, which is a number or a date (RFC 9110 §10.2.3). */
function parseRetryAfter(value: string | undefined, now: Date): number {
  if (value === undefined) return 0
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : 0
}

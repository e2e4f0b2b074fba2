import { createHmac, randomBytes } from 'node:crypto'
import { decryptOrNull, encrypt, reencrypt } from '../core/encryption.ts'
import type { Ports } from '../core/ports.ts'

// Deliveries are signed with this secret by Standard Webhooks 1.0. It is stored encrypted, because each delivery needs it.

type Deriver = Pick<Ports, 'deriveSecret'>

/** Formats a secret for the receiver. */
export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`

/** Creates a secret for a webhook. `text` is for its owner, who sees it once; the rest is stored. */
export function createSecret(ports: Deriver, webhookId: string): { text: string; encrypted: Uint8Array<ArrayBuffer> } {
  const secret = randomBytes(24)
  return { text: secretText(secret), encrypted: encrypt(ports.deriveSecret(...keyed(webhookId)), secret, boundTo) }
}

/** Decrypts the stored secret; null if it was encrypted under another SECRET_KEY and is therefore lost. */
export const decryptSecret = ({ deriveSecret }: Deriver, encrypted: Uint8Array, webhookId: string): Buffer | null =>
  decryptOrNull(deriveSecret.accepted(...keyed(webhookId)), encrypted, boundTo)

/** Encrypts a stored secret under the current SECRET_KEY; null if no key fits. */
export const reencryptSecret = ({ deriveSecret }: Deriver, encrypted: Uint8Array, webhookId: string): Uint8Array | null =>
  reencrypt(deriveSecret.accepted(...keyed(webhookId)), encrypted, boundTo)

const keyed = (webhookId: string) => ['webhook secret', Buffer.from(webhookId)] as const
const boundTo = Buffer.from('webhook secret')

/** Returns the header fields that sign a body, with a signature for each secret (Standard Webhooks 1.0). */
export function signatureHeaders(secrets: readonly Uint8Array[], id: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

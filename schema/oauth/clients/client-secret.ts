import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../../prisma/statement/write-row.ts'
import type { OAuthClientSecret, Prisma } from '../../../prisma/generated/client/client.ts'
import { sha256 } from '../../core/sha256.ts'
import { text } from '../../core/validation.ts'

// This file handles secrets of confidential clients. A client has at most two: the current one and, during the overlap of a rotation, the
// previous one.

/**
 * Returns a new secret with 256 bits. Its characters need no encoding, because some clients encode them and others do not (RFC 6749
 * §2.3.1).
 */
export const createSecretValue = () => randomBytes(32).toString('base64url')

/**
 * Validates a secret that another service created: characters that HTTP Basic supports (RFC 6749 §A.2) and, as far as its form shows, the
 * 256 bits of our own. Only its SHA-256 is stored, which does not protect a short or patterned secret in a leaked database.
 */
export const foreignSecret = text
  .max(255)
  .regex(/^[\x20-\x7e]*$/, { message: 'The :attribute field must be printable ASCII.', abort: true })
  .refine(
    (value) => value.length >= (/^[0-9a-f]*$/i.test(value) ? 64 : 43) && new Set(value).size > 10,
    'The :attribute field must have 256 random bits: at least 43 characters, or 64 hexadecimal digits. Leave it out and create a secret with client rotate-secret.',
  )

/** Rule of the time for which the previous secret stays valid: at most 30 days. */
export const clientSecretOverlapRules = z.object({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86_400),
})

export const isLive = ({ expiresAt }: Pick<OAuthClientSecret, 'expiresAt'>, now: Date) => expiresAt === null || expiresAt > now

/** The order of secrets, in which the secret that is valid longest comes first. */
export const longestValidFirst = [
  { expiresAt: { sort: 'desc', nulls: 'first' } },
  { createdAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.OAuthClientSecretOrderByWithRelationInput[]

/** Gives a client a secret with this value, which is not stored. */
export function addSecret(transaction: Transaction, oauthClientId: string, value: string, createdAt: Date): OAuthClientSecret {
  const secret = { id: randomUUID(), oauthClientId, hash: sha256(value), createdAt, expiresAt: null }
  transaction.defer(insertRow(transaction, 'oauth_client_secrets', secret))
  return secret
}

const deleteSecrets = statement<object, [oauthClientId: string, exceptId: string | null]>(
  'delete_client_secrets',
  'DELETE FROM oauth_client_secrets WHERE oauth_client_id = $1 AND id IS DISTINCT FROM $2::uuid',
)

/**
 * Gives a client a new secret with this value, and returns the client's secrets. The previous secret stays valid for the overlap,
 * or until it expires; all others are deleted. The client must be locked.
 */
export function rotateSecret(
  transaction: Transaction,
  client: { id: string; secrets: OAuthClientSecret[] },
  value: string,
  { now, overlapSeconds }: { now: Date; overlapSeconds: number },
): OAuthClientSecret[] {
  const overlapEnd = new Date(now.getTime() + overlapSeconds * 1000)
  const previous = overlapSeconds > 0 ? client.secrets.find((secret) => isLive(secret, now)) : undefined
  transaction.defer(deleteSecrets(transaction, client.id, previous?.id ?? null))
  const added = addSecret(transaction, client.id, value, now)
  if (!previous) return [added]
  if (previous.expiresAt !== null && previous.expiresAt <= overlapEnd) return [added, previous]
  transaction.defer(updateRows(transaction, 'oauth_client_secrets', { id: previous.id }, { expiresAt: overlapEnd }))
  return [added, { ...previous, expiresAt: overlapEnd }]
}

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import type { OAuthClientSecret, Prisma } from '../prisma/generated/client/client.ts'
import { sha256 } from './secret.ts'

// Secrets of confidential clients. Of one client there are never more than two: the one in use and, for the overlap of a
// rotation, the one before.

/** A fresh secret, 256 bits: characters that clients may or may not encode in HTTP Basic, which makes no difference. */
export const createSecretValue = () => randomBytes(32).toString('base64url')

/** For how long the old secret may keep working, 30 days at most. */
export const overlapRules = z.object({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86_400),
})

export const isLive = ({ expiresAt }: Pick<OAuthClientSecret, 'expiresAt'>, now: Date) => expiresAt === null || expiresAt > now

/** The order in which the one that lives longest comes first. */
export const longestFirst = [
  { expiresAt: { sort: 'desc', nulls: 'first' } },
  { createdAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.OAuthClientSecretOrderByWithRelationInput[]

/**
 * Gives a client, locked, a fresh secret and answers its value, the only time it is known. The present one lives for the
 * overlap, unless it ends before; every other ends at once.
 */
export async function rotateSecret(
  transaction: Transaction,
  client: { id: string; secrets: OAuthClientSecret[] },
  { now, overlapSeconds }: { now: Date; overlapSeconds: number },
): Promise<string> {
  const end = new Date(now.getTime() + overlapSeconds * 1000)
  const present = overlapSeconds > 0 ? client.secrets.find((secret) => isLive(secret, now)) : undefined
  // Without their rows: a secret that is over is of use to nobody.
  await transaction.oAuthClientSecret.deleteMany({ where: { oauthClientId: client.id, NOT: { id: { in: present ? [present.id] : [] } } } })
  if (present && (present.expiresAt === null || present.expiresAt > end))
    await transaction.oAuthClientSecret.update({ where: { id: present.id }, data: { expiresAt: end } })
  const value = createSecretValue()
  await transaction.oAuthClientSecret.create({ data: { oauthClientId: client.id, hash: sha256(value), createdAt: now } })
  return value
}

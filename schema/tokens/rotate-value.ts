import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { AccessToken } from '../../prisma/generated/client/client.ts'
import type { Context } from '../core/context.ts'
import { invalid, notFound } from '../core/errors.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { lockTeam } from '../core/database/locks.ts'
import { sha256 } from '../core/sha256.ts'
import { createTokenValue } from './token-value.ts'
import { findToken } from './own-token.ts'
import type { TokenWithParts } from './token.ts'

interface Rotation {
  overlapSeconds: number
  rotationKey: string | undefined
}

/**
 * Gives a token a new value, and keeps the current one as the previous value for the overlap, but never beyond the token's expiry. Returns
 * the value, of which only the hash is stored. Throws `not_found` if the token ended or its value differs from the one that the caller
 * read: only one of several concurrent rotations succeeds (docs/decisions/tokens.md#rotation).
 */
export async function rotateValue(
  transaction: Transaction,
  context: Context,
  current: TokenWithParts,
  { overlapSeconds, rotationKey }: Rotation,
) {
  if (hasRotationKey(current, rotationKey)) throw sentBefore()
  const now = context.now()
  const worksUntil = new Date(Math.min(now.getTime() + overlapSeconds * 1000, current.expiresAt?.getTime() ?? Infinity))
  const value = createTokenValue(current.kind)
  const changes = {
    hash: new Uint8Array(sha256(value)),
    lastFour: value.slice(-4),
    previousHash: current.hash,
    previousLastFour: current.lastFour,
    previousExpiresAt: worksUntil,
    rotationKey: rotationKey ?? null,
  }
  // A token with this value has not been rotated since. The other conditions mean that it is live.
  const isLive = current.expiresAt === null || current.expiresAt > now
  const [, count] = await Promise.all([
    current.teamId && lockTeam(transaction, current.teamId),
    isLive ? updateRows(transaction, 'access_tokens', { id: current.id, hash: current.hash, revokedAt: null }, changes) : 0,
  ])
  if (count > 0) return { token: { ...current, ...changes }, value, worksUntil }
  const token = await findToken(transaction, current.id)
  if (token && hasRotationKey(token, rotationKey)) throw sentBefore()
  throw notFound('the token was revoked, rotated or has expired')
}

const hasRotationKey = ({ rotationKey }: Pick<AccessToken, 'rotationKey'>, key: string | undefined) =>
  key !== undefined && key === rotationKey

const sentBefore = () => invalid({ idempotencyKey: ['The token was already rotated, and its new value is not shown again.'] })

import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { revokeChain } from '../storage/model-queries.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { exchange } from './exchange.ts'
import { createReplayCache } from './replay-cache.ts'
import type { PresentedToken, TokenRequest } from './token-request.ts'

/**
 * Codes, refresh tokens and the responses to them. A token request calls `recordPresented`, `exchange` and `recordDelivery`, in this order
 * (docs/decisions/refresh-tokens.md#refresh). Its `TokenRequest` contains the data about the request.
 */
export interface TokenStore {
  /**
   * Records the presented value, and decides about a second use. Returns its state for oidc-provider: unused also if the stored response is
   * replayed; null if it is not valid.
   */
  recordPresented(
    request: TokenRequest,
    presented: PresentedToken,
    use: { isUsed: boolean; isOwn: boolean },
  ): Promise<'unused' | 'used' | null>
  /**
   * Commits a request that succeeded with this response body. Returns the body for the client; null if the presented value is no longer
   * valid.
   */
  exchange(request: TokenRequest, body: object): Promise<object | null>
  /** Records in the background that the response was delivered. */
  recordDelivery(presented: PresentedToken): void
  /** Ends the chain of a refresh token that the client revokes or, in a token request, that was used again. */
  endChain(request: TokenRequest | null, hash: Buffer): Promise<void>
  /** Writes the records that are still in memory. */
  close(): Promise<void>
}

interface TokenStorePorts extends Pick<Ports, 'database' | 'deriveSecret' | 'sendMail' | 'now'> {
  report(error: unknown): void
}

export function createTokenStore(ports: TokenStorePorts): TokenStore {
  const { database, now, report } = ports
  const deliveryLog = createDeliveryLog(database, report)
  const replayCache = createReplayCache({ ...ports, deliveryLog })
  const endReusedChain = createEndReusedChain(ports)
  return {
    async recordPresented(request, presented, { isUsed, isOwn }) {
      request.presented = presented
      if (!isUsed) return 'unused'
      const secondUse = await replayCache.judge(presented)
      if (secondUse === 'refuse') return null
      if (typeof secondUse === 'object') {
        request.replayedResponse = secondUse.response
        return 'unused'
      }
      // A second use of a code revokes the tokens of the first, even after the code expired, which oidc-provider only reports as "expired".
      // oidc-provider itself destroys a reused refresh token after its other checks.
      if (isOwn && presented.isCode) await revokeChain(database.pool, presented.hash, now())
      return 'used'
    },
    exchange: (request, body) => exchange(request, body, { ...ports, replayCache }),
    recordDelivery: ({ hash }) => deliveryLog.add(hash, now()),
    async endChain(request, hash) {
      const { grant, chainId } = request?.presented ?? {}
      if (grant && chainId) await endReusedChain({ chainId, userId: grant.userId })
      else await revokeChain(database.pool, hash, now())
    },
    close: deliveryLog.close,
  }
}

type EndReusedChain = (chain: { chainId: string; userId: string }) => Promise<void>

/**
 * Revokes the chain of a refresh token that was used again, and informs the user by mail. Both happen once in one transaction, even if more
 * requests with the token follow (RFC 9700 §4.14.2).
 */
const createEndReusedChain =
  ({ database, sendMail, now }: Pick<Ports, 'database' | 'sendMail' | 'now'>): EndReusedChain =>
  ({ chainId, userId }) =>
    inTransaction(database, async (transaction) => {
      const at = now()
      const revoked = await revokeReusedChain(transaction, chainId, at)
      if (revoked.length > 0) await sendMail(transaction, { kind: 'refresh-token-reuse', userId, chainId, at: at.toISOString() })
    })

const revokeReusedChain = statement<object, [chainId: string, at: Date]>(
  'revoke_reused_chain',
  'UPDATE token_chains SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id',
)

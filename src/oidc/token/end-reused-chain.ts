import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Ports } from '../../../schema/core/ports.ts'

export type EndReusedChain = (chain: { chainId: string; userId: string }) => Promise<void>

/**
 * Revokes the chain of a refresh token that was used again, and informs the user by mail. Both happen once in one transaction, even if more
 * requests with the token follow (RFC 9700 §4.14.2).
 */
export const createEndReusedChain =
  ({ database, sendMail, now }: Pick<Ports, 'database' | 'sendMail' | 'now'>): EndReusedChain =>
  ({ chainId, userId }) =>
    inTransaction(database, async (transaction) => {
      const at = now()
      const revoked = await revokeChain(transaction, chainId, at)
      if (revoked.length > 0) await sendMail(transaction, { kind: 'refresh-token-reuse', userId, chainId, at: at.toISOString() })
    })

const revokeChain = statement<object, [chainId: string, at: Date]>(
  'revoke_reused_chain',
  'UPDATE token_chains SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id',
)

import { inTransaction } from '../../../prisma/transaction.ts'
import type { Ports } from '../../../schema/core/context.ts'

export type EndReusedChain = (chain: { chainId: string; userId: string }) => Promise<void>

/**
 * Revokes the chain of a refresh token that was used again, and informs the user by mail. Both happen in one transaction and
 * once, however many requests with the token follow (RFC 9700 §4.14.2).
 */
export const createEndReusedChain =
  ({ database, sendMail, now }: Pick<Ports, 'database' | 'sendMail' | 'now'>): EndReusedChain =>
  ({ chainId, userId }) =>
    inTransaction(database, async (transaction) => {
      const at = now()
      const { count } = await transaction.prisma.tokenChain.updateMany({ where: { id: chainId, revokedAt: null }, data: { revokedAt: at } })
      if (count > 0) await sendMail(transaction, { kind: 'refresh-token-reuse', userId, chainId, at: at.toISOString() })
    })

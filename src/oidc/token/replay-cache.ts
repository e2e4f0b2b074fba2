import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { decryptOrNull, encrypt } from '../../../schema/core/encryption.ts'
import { lifetimes } from '../provider/lifetimes.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { PresentedToken } from './token-request.ts'

// A code or refresh token can be used once. Its response is stored, encrypted under a key that can be derived only with the value itself. A
// second request gets it again if the response was never delivered, or within the client's replay window, as long as the refresh token in
// it is unused (docs/decisions/refresh-tokens.md#refresh).

interface UsedToken {
  /** The stored response, in hex. Null after it was deleted, some time after its delivery. */
  encrypted: string | null
  isDelivered: boolean
  /** True if the refresh token in the response is unused, or if there is none in it. */
  isSuccessorUnused: boolean
  /** Seconds since the token was used. */
  ageSeconds: number
}

const usedTokenByHash = statement<UsedToken, [hash: Buffer, now: Date]>(
  'used_token_by_hash',
  `SELECT encode(r.encrypted, 'hex') AS encrypted, r.delivered_at IS NOT NULL AS "isDelivered",
     r.model_hash IS NOT NULL AND (r.successor_hash IS NULL OR (s.id_hash IS NOT NULL AND s.consumed_at IS NULL)) AS "isSuccessorUnused",
     greatest(extract(epoch FROM $2::timestamptz - a.consumed_at), 0)::float8 AS "ageSeconds"
   FROM oidc_models a JOIN token_chains k ON k.id = a.chain_id AND k.revoked_at IS NULL
     LEFT JOIN token_responses r ON r.model_hash = a.id_hash LEFT JOIN oidc_models s ON s.id_hash = r.successor_hash
   WHERE a.id_hash = $1 AND a.consumed_at IS NOT NULL`,
)

/** The member of a token response that this module changes. */
const tokenResponse = z.object({ expires_in: z.number() })
type TokenResponse = z.output<typeof tokenResponse>

// This is a guard and not `parse`, which would reorder the members: the client gets the same text again.
const isTokenResponse = (value: unknown): value is TokenResponse => tokenResponse.safeParse(value).success

/** The stored response, `refuse` for a second use without consequences, or `reuse`, which must end the chain. */
export type SecondUse = { response: object } | 'refuse' | 'reuse'

export interface ReplayCache {
  encrypt(presented: PresentedToken, response: object): Buffer
  /** Decides about a request that presents a used code or refresh token. */
  judge(presented: PresentedToken): Promise<SecondUse>
}

interface ReplayCachePorts extends Pick<Ports, 'database' | 'deriveSecret' | 'now'> {
  deliveryLog: Pick<DeliveryLog, 'isPending'>
}

/** Stores the responses of the token endpoint and returns them to requests that may get them again. */
export function createReplayCache({ database, deriveSecret, deliveryLog, now }: ReplayCachePorts): ReplayCache {
  const keyed = ({ value }: PresentedToken) => ['token response', Buffer.from(value)] as const

  function decrypt(presented: PresentedToken, { encrypted, ageSeconds }: UsedToken): TokenResponse | null {
    const text =
      encrypted === null ? null : decryptOrNull(deriveSecret.accepted(...keyed(presented)), Buffer.from(encrypted, 'hex'), presented.hash)
    if (!text) return null
    const response: unknown = JSON.parse(text.toString())
    if (!isTokenResponse(response)) throw new Error('a stored token response has no expires_in')
    return { ...response, expires_in: Math.max(response.expires_in - Math.floor(ageSeconds), 0) }
  }

  return {
    encrypt: (presented, response) => encrypt(deriveSecret(...keyed(presented)), Buffer.from(JSON.stringify(response)), presented.hash),
    async judge(presented) {
      // This is read before the query, which otherwise may miss a delivery that is written meanwhile.
      const isDeliveredHere = deliveryLog.isPending(presented.hash)
      const [used] = await usedTokenByHash(database.pool, presented.hash, now())
      // The row was revoked or deleted after this request read it.
      if (!used) return 'refuse'
      const { isSuccessorUnused, ageSeconds } = used
      const isDelivered = isDeliveredHere || used.isDelivered
      if (!isSuccessorUnused) return 'reuse'
      const { isCode, grant } = presented
      const isReplayable = !isDelivered || (!isCode && ageSeconds < (grant?.replaySeconds ?? 0))
      const response = isReplayable ? decrypt(presented, used) : null
      if (response) return { response }
      return !isCode && ageSeconds < lifetimes.refreshTolerance ? 'refuse' : 'reuse'
    },
  }
}

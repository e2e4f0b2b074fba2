import { z } from 'zod'
import type { StoredGrant, StoredModel, StoredUser } from '../storage/live-grants.ts'

/** An access token that oidc-provider accepts, with its grant and user. */
export interface LiveAccessToken {
  payload: z.output<typeof payloadMembers>
  grant: StoredGrant
  user: StoredUser
}

/**
 * Members of an access token as oidc-provider stores it here. The type is strict: oidc-provider handles a token with any other member, for
 * example requested claims.
 */
const payloadMembers = z.strictObject({
  kind: z.literal('AccessToken').optional(),
  iat: z.number(),
  exp: z.number(),
  accountId: z.string(),
  clientId: z.string(),
  grantId: z.string(),
  gty: z.string(),
  scope: z.string(),
  sid: z.string().optional(),
  sessionUid: z.string().optional(),
  expiresWithSession: z.literal(false).optional(),
  jkt: z.string().optional(),
  aud: z.string().optional(),
})

/** Returns the access token in a row, or null if oidc-provider would not accept it or must decide. */
export function liveAccessToken(model: StoredModel | undefined, now: Date): LiveAccessToken | null {
  if (!model?.grant || !model.user || model.isConsumed) return null
  const { grant, user } = model
  const { data: payload } = payloadMembers.safeParse(model.payload)
  const seconds = Math.floor(now.getTime() / 1000)
  if (!payload || payload.exp <= seconds || grant.expiresAt <= seconds) return null
  if (payload.grantId !== grant.id || payload.clientId !== grant.clientId || payload.accountId !== user.id) return null
  return { payload, grant, user }
}

import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { findActiveUser } from '../storage/live-grants.ts'
import type { StoredUser } from '../storage/live-grants.ts'
import { getRequestContext } from '../request-context.ts'

/** The claims that each OpenID Connect scope grants. */
export const claimsByScope = {
  openid: ['sub', 'amr'],
  profile: ['name', 'updated_at'],
  email: ['email', 'email_verified'],
}

/** Finds the user of a subject identifier. Undefined if the user is unknown, deleted or disabled. */
export const createFindAccount =
  (database: Database) =>
  async (ctx: KoaContextWithOIDC, subject: string): Promise<Account | undefined> => {
    const { users } = getRequestContext(ctx).rows
    const user = users.get(subject) ?? (await findActiveUser(database, subject))
    if (!user) return undefined
    users.set(subject, user)
    return { accountId: user.id, claims: () => Promise.resolve(buildClaims(user)) }
  }

/** Returns all claims about a user. `claimsByScope` decides which of them a client receives. */
export const buildClaims = ({ id, name, email, emailVerified, updatedAt }: StoredUser) => ({
  sub: id,
  name,
  updated_at: updatedAt,
  // An account that an identity provider created may have no address (docs/decisions/identity-providers.md#identity-and-linking).
  ...(hasAddress(email) && { email, email_verified: emailVerified }),
})

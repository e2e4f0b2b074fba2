import type { StoredGrant, StoredModel, StoredUser } from './live-grants.ts'

/** The rows that a request to the authorization server has read, so that none is read twice. */
export interface ReadRows {
  grants: Map<string, StoredGrant>
  users: Map<string, StoredUser>
  /** Sessions (by `uid`) and interactions. If they have ended meanwhile, writing them must not create them again. */
  models: Set<string>
  /** The code or refresh token that was read in the same statement as the client. */
  withClient?: { kind: string; value: string; model: StoredModel | null }
}

export const noRows = (): ReadRows => ({ grants: new Map(), users: new Map(), models: new Set() })

/** Stores a grant and a user for later lookups of the same request. */
export function keepRows({ grants, users }: ReadRows, { grant, user }: Pick<StoredModel, 'grant' | 'user'>): void {
  if (grant) grants.set(grant.id, grant)
  if (user) users.set(user.id, user)
}

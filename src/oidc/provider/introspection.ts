import type { StoredGrant } from '../storage/live-grants.ts'
import { grantedScopes } from '../storage/live-grants.ts'

// Rules of the introspection endpoint, for oidc-provider and for direct responses (docs/decisions/oauth.md#revocation).

/** Introspection is for confidential clients and their own tokens. */
export const mayIntrospect = (
  { isConfidential, clientId }: { isConfidential: boolean; clientId: string },
  token: { clientId?: string | undefined },
): boolean => isConfidential && token.clientId === clientId

/** The scope and team that a token with this scope has now. */
export function currentScopeAndTeam(grant: StoredGrant | undefined, tokenScope: unknown): { scope: string; team: string | null } {
  const granted = grant ? grantedScopes(grant) : []
  const scopes = typeof tokenScope === 'string' ? tokenScope.split(' ').filter((each) => granted.includes(each)) : []
  return { scope: scopes.join(' '), team: grant?.isWithinTeam ? grant.team : null }
}

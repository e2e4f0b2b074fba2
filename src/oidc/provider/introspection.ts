import type { KoaContextWithOIDC } from 'oidc-provider'
import type { SignInClock } from '../../../schema/core/team-access/required-sign-in.ts'
import type { MachineCredential } from '../../auth/machine-credential.ts'
import { getMachineToken } from './token-internals.ts'
import { getRequestContext } from '../request-context.ts'
import type { StoredGrant } from '../storage/live-grants.ts'
import { grantedScopes, reachesTeam } from '../storage/live-grants.ts'

// Rules of the introspection endpoint, for oidc-provider and for direct responses (docs/decisions/oauth.md#revocation).

/** Returns true if the client can introspect the token. Introspection is for confidential clients and their own tokens. */
export const mayIntrospect = (
  { isConfidential, clientId }: { isConfidential: boolean; clientId: string },
  token: { clientId?: string | undefined },
): boolean => isConfidential && token.clientId === clientId

/** Returns the current scope and team of a token with this scope. */
export function currentScopeAndTeam(
  grant: StoredGrant | undefined,
  tokenScope: unknown,
  clock: SignInClock,
): { scope: string; team: string | null } {
  const granted = grant ? grantedScopes(grant) : []
  const scopes = typeof tokenScope === 'string' ? tokenScope.split(' ').filter((each) => granted.includes(each)) : []
  return { scope: scopes.join(' '), team: grant && reachesTeam(grant, clock) ? grant.team : null }
}

/** Finds the machine of an access token with this value, if the token still works. */
export type FindMachine = (token: string) => Promise<MachineCredential | null>

/** Adds the current scope and team of the token to a response of oidc-provider for an active token. */
export async function describeActiveToken(
  ctx: { res: object } & Partial<Pick<KoaContextWithOIDC, 'oidc'>>,
  body: Record<string, unknown>,
  { findMachine, ...clock }: { findMachine: FindMachine } & SignInClock,
): Promise<object> {
  const token = getMachineToken(ctx)
  // The grant of the token is the only one that this request has read.
  if (token === undefined)
    return { ...body, ...currentScopeAndTeam([...getRequestContext(ctx).rows.grants.values()][0], body['scope'], clock) }
  const machine = await findMachine(token)
  return machine ? { ...body, scope: [...machine.principal.scopes].join(' '), team: machine.teamSlug } : { active: false }
}

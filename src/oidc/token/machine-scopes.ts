import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import type { Client } from '../storage/client.ts'

/** The scopes of a token that a machine asks for, and one that it does not have, which refuses the request. */
export interface MachineScopes {
  scopes: Scope[]
  refused: Scope | undefined
}

/**
 * Chooses the scopes of a token among those that a machine has. Without `scope`, it gets all of them that a team token can have (RFC 6749
 * §3.3); oidc-provider would issue a token without any. Unknown scopes, and those that describe a user, are ignored: some clients request
 * every scope that the metadata of the API lists.
 */
export function chooseMachineScopes(own: readonly string[], scope: string | undefined): MachineScopes {
  const requested = scope === undefined ? own : scope.split(' ')
  const scopes = tokenScopes.filter((each) => requested.includes(each))
  return { scopes, refused: scopes.find((each) => !own.includes(each)) }
}

/** The scopes that a client is registered for. */
export const registeredScopes = ({ requiredScopes, optionalScopes }: Pick<Client, 'requiredScopes' | 'optionalScopes'>): string[] => [
  ...requiredScopes,
  ...optionalScopes,
]

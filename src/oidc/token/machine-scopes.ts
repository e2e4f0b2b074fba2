import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import type { Client } from '../storage/client.ts'

/** The scopes of a token that a machine requests, and a scope that the machine lacks, for which the request is refused. */
export interface MachineScopes {
  scopes: Scope[]
  refused: Scope | undefined
}

/**
 * Selects the scopes of a token among those of a machine. Without `scope`, the token gets all of them that a team token can have (RFC 6749
 * §3.3); oidc-provider would issue a token without any. Unknown scopes and those that describe a user are ignored, because some clients
 * request every scope in the metadata of the API.
 */
export function chooseMachineScopes(own: readonly string[], scope: string | undefined): MachineScopes {
  const requested = scope === undefined ? own : scope.split(' ')
  const scopes = tokenScopes.filter((each) => requested.includes(each))
  return { scopes, refused: scopes.find((each) => !own.includes(each)) }
}

/** Returns the scopes for which a client is registered. */
export const listRegisteredScopes = ({ requiredScopes, optionalScopes }: Pick<Client, 'requiredScopes' | 'optionalScopes'>): string[] => [
  ...requiredScopes,
  ...optionalScopes,
]

import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import type { Client } from '../storage/client.ts'

/**
 * The scopes of the token that a client asks for by client credentials. Without `scope`, it gets all scopes that it can have (RFC 6749 §3.3);
 * oidc-provider would issue a token without any. Unknown scopes, and those that describe a user, are ignored: some clients request every
 * scope that the metadata of the API lists. Returns another scope for which the client is not registered as `refused`.
 */
export function machineScopes(
  { requiredScopes, optionalScopes }: Pick<Client, 'requiredScopes' | 'optionalScopes'>,
  scope: string | undefined,
): { scopes: Scope[]; refused: Scope | undefined } {
  const registered = new Set([...requiredScopes, ...optionalScopes])
  const requested = scope === undefined ? registered : new Set(scope.split(' '))
  const scopes = tokenScopes.filter((each) => requested.has(each))
  return { scopes, refused: scopes.find((each) => !registered.has(each)) }
}

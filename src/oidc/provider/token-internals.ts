import { hash } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { currentContext } from './provider-internals.ts'

// Undocumented parts of oidc-provider that concern tokens, in the manner of provider-internals.ts.

/**
 * Returns the machine's access token that an introspection request has found, or undefined. `ClientCredentials` is the name of the model.
 * If it changes, the response has the scope of the time when the token was issued, and no team.
 */
export const machineTokenOf = ({ oidc }: Partial<Pick<KoaContextWithOIDC, 'oidc'>>): string | undefined =>
  oidc?.entities.ClientCredentials?.jti

/**
 * Returns true if a `ReplayDetection` with this identifier is for the client assertion of the current request, and not for its DPoP proof.
 * The provider derives it from the issuer and `jti`. If it changes, an assertion that is sent again is refused as a DPoP proof.
 */
export function isOfAssertion(replayDetectionId: string): boolean {
  const assertion = currentContext()?.oidc.params?.['client_assertion']
  if (typeof assertion !== 'string') return false
  const { iss, jti } = decodeJwt(assertion)
  return hash('sha256', `${iss}${jti}`, 'base64url') === replayDetectionId
}

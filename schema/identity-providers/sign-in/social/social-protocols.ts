import type { ProviderAssertion } from '../../protocol.ts'
import type { OidcProvider } from '../oidc/configuration.ts'
import type { SocialClient } from '../../../core/social-clients.ts'

/** Returns Google as an OpenID provider (https://developers.google.com/identity/openid-connect). */
export const buildGoogleProvider = (
  { origin = 'https://accounts.google.com', ...client }: SocialClient,
  redirectUri: string,
): OidcProvider => ({
  ...client,
  redirectUri,
  issuer: origin,
  groupsClaim: null,
})

/**
 * Returns Microsoft's endpoint for accounts of all tenants. Its issuer contains the tenant of the person
 * (https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-the-issuer).
 */
export const buildMicrosoftProvider = ({ origin, ...client }: SocialClient, redirectUri: string): OidcProvider => ({
  ...client,
  redirectUri,
  issuer: 'https://login.microsoftonline.com/common/v2.0',
  hasTenants: true,
  groupsClaim: null,
  ...(origin !== undefined && { metadataUrl: `${origin}/.well-known/openid-configuration` }),
})

/**
 * Returns the assertion about a person of a tenant, whose issuer is part of the identity (OpenID Connect Core 1.0 §5.7). An administrator
 * of any tenant can state any address. Only `xms_edov` says that the owner of its domain was verified
 * (https://learn.microsoft.com/entra/identity-platform/optional-claims-reference).
 */
export const withTenant = (assertion: ProviderAssertion): ProviderAssertion => {
  const { iss, xms_edov: isVerified } = assertion.claims
  const isEmailVerified = isVerified === true || isVerified === 1 || isVerified === '1' || isVerified === 'true'
  return { ...assertion, issuer: String(iss), isEmailVerified }
}

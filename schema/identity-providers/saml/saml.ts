import { generateServiceProviderMetadata, SAML } from '@node-saml/node-saml'
import type { SamlOptions } from '@node-saml/node-saml'
import { buildAcsUrl, buildEntityId } from '../addresses.ts'
import { UnusableProviderError } from '../protocol.ts'
import type { Protocol } from '../protocol.ts'
import type { StoredProvider } from '../stored-provider.ts'
import { readStoredResponse } from './receive.ts'

/** Builds the options of node-saml that its parts share. Each provider has its own addresses of this service. */
const buildOptions = (authUrl: string, providerId: string) =>
  ({
    issuer: buildEntityId({ authUrl }, providerId),
    callbackUrl: buildAcsUrl({ authUrl }, providerId),
    // No format is requested, because some providers refuse a form of the NameID that they are not configured for.
    identifierFormat: null,
    wantAssertionsSigned: true,
  }) satisfies Partial<SamlOptions>

/** SAML 2.0: requests by the HTTP-Redirect binding, not signed; responses by the HTTP-POST binding, which `receive.ts` verifies. */
export const saml: Protocol<StoredProvider> = {
  async requestUrl({ authUrl }, provider, { id, forceAuthentication, loginHint }) {
    const { ssoUrl, certificates } = provider
    if (ssoUrl === null || certificates.length === 0) throw new UnusableProviderError('The provider has no metadata.')
    const client = new SAML({
      ...buildOptions(authUrl, provider.id),
      idpCert: certificates,
      entryPoint: ssoUrl,
      generateUniqueId: () => id,
      forceAuthn: forceAuthentication,
      // No authentication method is requested, because the provider decides it: a request for a password would exclude its passkeys.
      disableRequestedAuthnContext: true,
      // This parameter is not part of SAML, but Entra ID and AD FS read it.
      additionalAuthorizeParams: loginHint === null ? {} : { login_hint: loginHint },
    })
    return client.getAuthorizeUrlAsync('', undefined, {})
  },
  verify: async (_ports, _provider, request) => readStoredResponse(request.storedResponse),
}

/** Returns the metadata of this service for a provider, as XML. */
export function serviceProviderMetadata(authUrl: string, providerId: string): string {
  const metadata = generateServiceProviderMetadata({
    ...buildOptions(authUrl, providerId),
    // The ID of the document is the same for each request, so that caches see no change.
    generateUniqueId: () => `_${providerId}`,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${metadata.replace(/^<\?.*?\?>\s*/, '')}\n`
}

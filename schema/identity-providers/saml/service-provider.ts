import { generateServiceProviderMetadata } from '@node-saml/node-saml'
import type { SamlOptions } from '@node-saml/node-saml'
import { acsUrlOf, entityIdOf } from '../addresses.ts'

/** The options of node-saml that its parts share. Each provider knows this service by addresses of its own. */
export const optionsOf = (authUrl: string, providerId: string) =>
  ({
    issuer: entityIdOf({ authUrl }, providerId),
    callbackUrl: acsUrlOf({ authUrl }, providerId),
    // None: a provider may choose the form of the NameID. Some refuse a request for a form that they are not configured for.
    identifierFormat: null,
    wantAssertionsSigned: true,
  }) satisfies Partial<SamlOptions>

/** The metadata of this service for a provider, as XML. */
export function serviceProviderMetadata(authUrl: string, providerId: string): string {
  const metadata = generateServiceProviderMetadata({
    ...optionsOf(authUrl, providerId),
    // The document has an ID of its own, which is the same for each request, so that caches see no change.
    generateUniqueId: () => `_${providerId}`,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${metadata.replace(/^<\?.*?\?>\s*/, '')}\n`
}

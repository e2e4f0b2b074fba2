import { generateServiceProviderMetadata } from '@node-saml/node-saml'
import type { SamlOptions } from '@node-saml/node-saml'

/** What an identity provider knows of this service. Each provider has its own, so that a response for one is never one for another. */
interface ServiceProvider {
  /** The entity ID, which is also the URL of the metadata. */
  entityId: string
  /** The assertion consumer service, which receives responses. */
  acsUrl: string
}

export function serviceProviderOf(authUrl: string, providerId: string): ServiceProvider {
  const acsUrl = `${authUrl}/sign-in/saml/${providerId}`
  return { entityId: `${acsUrl}/metadata`, acsUrl }
}

/** The options of node-saml that its parts share. */
export const optionsOf = ({ entityId, acsUrl }: ServiceProvider) =>
  ({
    issuer: entityId,
    callbackUrl: acsUrl,
    // None: a provider may choose the form of the NameID. Some refuse a request for a form that they are not configured for.
    identifierFormat: null,
    wantAssertionsSigned: true,
  }) satisfies Partial<SamlOptions>

/** The metadata of this service for a provider, as XML. */
export function serviceProviderMetadata(authUrl: string, providerId: string): string {
  const serviceProvider = serviceProviderOf(authUrl, providerId)
  const metadata = generateServiceProviderMetadata({
    ...optionsOf(serviceProvider),
    // The document has an ID of its own, which is the same for each request, so that caches see no change.
    generateUniqueId: () => `_${providerId}`,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${metadata.replace(/^<\?.*?\?>\s*/, '')}\n`
}

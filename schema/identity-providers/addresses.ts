import type { Ports } from '../core/ports.ts'

// The administrator of an identity provider enters these addresses of this service there. Each contains the identifier of the provider.

type Site = Pick<Ports, 'authUrl'>

/** Returns the redirect URI of OAuth, one for each provider, so that no response can be used as that of another provider. */
export const buildRedirectUri = ({ authUrl }: Site, key: string): string => `${authUrl}/sign-in/callback/${key}`

/** Returns the URL of the assertion consumer service (SAML 2.0 Core §3.4.1), to which a SAML identity provider sends the browser back. */
export const buildAcsUrl = ({ authUrl }: Site, providerId: string): string => `${authUrl}/sign-in/saml/${providerId}`

/** Returns the entity ID of this service, which is also the URL of its metadata (SAML 2.0 Metadata §2.3.2). */
export const buildEntityId = (site: Site, providerId: string): string => `${buildAcsUrl(site, providerId)}/metadata`

/** Returns the URL at which members start to sign in through the providers of a team. */
export const buildSignInUrl = ({ authUrl }: Site, teamSlug: string): string => `${authUrl}/sign-in/${teamSlug}`

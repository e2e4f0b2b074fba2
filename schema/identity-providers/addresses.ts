import type { Ports } from '../core/ports.ts'

// The addresses of this service that the administrator of an identity provider enters there. Each contains the identifier of the provider.

type Site = Pick<Ports, 'authUrl'>

/** The redirect URI of OAuth: one for each provider, so that the answer of one cannot be taken for that of another. `key` names a public one. */
export const redirectUriOf = ({ authUrl }: Site, key: string): string => `${authUrl}/sign-in/callback/${key}`

/** The assertion consumer service (SAML 2.0 Core §3.4.1): where a SAML identity provider sends the browser back to. */
export const acsUrlOf = ({ authUrl }: Site, providerId: string): string => `${authUrl}/sign-in/saml/${providerId}`

/** The entity ID of this service, at which its metadata is, too (SAML 2.0 Metadata §2.3.2). */
export const entityIdOf = (site: Site, providerId: string): string => `${acsUrlOf(site, providerId)}/metadata`

/** The URL at which members begin to sign in through the providers of a team. */
export const signInUrlOf = ({ authUrl }: Site, teamSlug: string): string => `${authUrl}/sign-in/${teamSlug}`

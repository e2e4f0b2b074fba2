import type { IdentityProvider } from '../../prisma/generated/client/client.ts'
import { payloadType } from '../builder/payload-type.ts'
import { IdentityProviderType } from './provider.ts'

/** The result of a mutation of a provider. */
export const IdentityProviderPayload = payloadType<{ identityProvider: IdentityProvider }>('IdentityProviderPayload', {
  description: 'An identity provider after the change.',
  fields: (t) => ({
    identityProvider: t.expose('identityProvider', { type: IdentityProviderType, description: 'The identity provider.' }),
  }),
})

/** What the settings of a provider are, in the inputs of mutations. */
export const settingDescriptions = {
  name: 'The name on the button of the sign-in page.',
  issuer: 'For OpenID Connect: the issuer, an https URL. Its metadata is read and must name it.',
  clientId: 'For OpenID Connect: the client identifier that the provider issued.',
  clientSecret: 'For OpenID Connect: the client secret. It is stored encrypted and never returned. Null for a public client.',
  metadata: 'For SAML: the metadata of the identity provider, as XML. It has one or two signing certificates.',
  groupsClaim: 'The claim or SAML attribute that lists the groups of a user. Null if groups are not read.',
  jitRole: 'The role that a user without a membership gets at sign-in: `MEMBER` or `BILLING`. Null for none.',
}

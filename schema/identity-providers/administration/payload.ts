import type { IdentityProvider } from '../../../prisma/generated/client/client.ts'
import type { Types } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { RoleType } from '../../members/role.ts'
import { IdentityProviderType } from '../provider.ts'

/** The result of a mutation of a provider. */
export const IdentityProviderPayload = payloadType<{ identityProvider: IdentityProvider }>('IdentityProviderPayload', {
  description: 'An identity provider after the change.',
  fields: (t) => ({
    identityProvider: t.expose('identityProvider', { type: IdentityProviderType, description: 'The identity provider.' }),
  }),
})

/** The description of a provider's name in the inputs of mutations. */
export const nameDescription = 'The name on the button of the sign-in page.'

/** Declares the settings of a provider in the inputs of mutations, except for its name. */
export const settingFields = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => ({
  issuer: t.string({ description: 'For OpenID Connect: the issuer, an https URL. Its metadata is read and must name it.' }),
  clientId: t.string({ description: 'For OpenID Connect: the client identifier that the provider issued.' }),
  clientSecret: t.string({
    description: 'For OpenID Connect: the client secret. It is stored encrypted and never returned. Null for a public client.',
  }),
  metadata: t.string({
    description: 'For SAML: the metadata of the identity provider, as XML. It has one or two signing certificates.',
  }),
  groupsClaim: t.string({ description: 'The claim or SAML attribute that lists the groups of a user. Null if groups are not read.' }),
  jitRole: t.field({
    type: RoleType,
    description: 'The role that a user without a membership gets at sign-in: `MEMBER` or `BILLING`. Null for none.',
  }),
})

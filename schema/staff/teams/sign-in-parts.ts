import { X509Certificate } from 'node:crypto'
import { builder } from '../../builder/builder.ts'
import { IdentityProviderCertificateType, ProviderKindType } from '../../identity-providers/provider.ts'
import type { StoredDomainState, StoredProviderState } from './state-query.ts'

const kind = { type: ProviderKindType, describedBy: 'IdentityProvider.kind' } as const
const disabledAt = { type: 'DateTime', nullable: true, describedBy: 'IdentityProvider.disabledAt' } as const

/** An identity provider of a team, without the settings by which people sign in. */
export const StaffProviderType = builder.objectRef<StoredProviderState>('StaffIdentityProvider').implement({
  description: 'The state of an identity provider of a team, for staff. Its client and its secret are never returned.',
  fields: (t) => ({
    providerId: t.exposeID('id', { describedBy: 'IdentityProvider.id' }),
    kind: t.expose('kind', kind),
    name: t.exposeString('name', { describedBy: 'IdentityProvider.name' }),
    host: t.string({
      description: 'The host of its issuer, or the whole issuer if that is not a URL.',
      resolve: ({ issuer }) => URL.parse(issuer)?.host || issuer,
    }),
    isRequired: t.exposeBoolean('isRequired', { description: 'Whether the team requires sign-in through it, now or from a later time.' }),
    testedAt: t.expose('testedAt', { type: 'DateTime', nullable: true, describedBy: 'IdentityProvider.testedAt' }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true, describedBy: 'IdentityProvider.failedAt' }),
    failure: t.exposeString('failure', { nullable: true, describedBy: 'IdentityProvider.failure' }),
    disabledAt: t.expose('disabledAt', disabledAt),
    certificates: t.field({
      type: [IdentityProviderCertificateType],
      description: 'The certificates that verify SAML assertions; empty for OpenID Connect.',
      resolve: ({ certificates }) => certificates.map((base64) => new X509Certificate(Buffer.from(base64, 'base64'))),
    }),
  }),
})

/** A domain of a team, without the value of its TXT record. */
export const StaffDomainType = builder.objectRef<StoredDomainState>('StaffTeamDomain').implement({
  description: 'The state of a domain of a team, for staff.',
  fields: (t) => ({
    domain: t.exposeString('domain', { describedBy: 'TeamDomain.domain' }),
    verifiedAt: t.expose('verifiedAt', { type: 'DateTime', nullable: true, describedBy: 'TeamDomain.verifiedAt' }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', nullable: true, describedBy: 'TeamDomain.checkedAt' }),
    missingSince: t.expose('missingSince', { type: 'DateTime', nullable: true, describedBy: 'TeamDomain.missingSince' }),
  }),
})

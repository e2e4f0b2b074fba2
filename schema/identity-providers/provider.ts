import { X509Certificate } from 'node:crypto'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { loadBatched, loadById } from '../lists/batch.ts'
import { RoleType } from '../members/role.ts'
import { buildAcsUrl, buildEntityId, buildRedirectUri } from './addresses.ts'

export const ProviderKindType = enumType('IdentityProviderKind', 'The protocol of an identity provider.', {
  oidc: 'OpenID Connect.',
  saml: 'SAML 2.0.',
})

export const IdentityProviderCertificateType = builder.objectRef<X509Certificate>('IdentityProviderCertificate').implement({
  description: 'A certificate that verifies SAML assertions.',
  fields: (t) => ({
    subject: t.string({
      description: 'The name of its subject.',
      resolve: ({ subject }) => (/^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')).slice(0, 255),
    }),
    fingerprint: t.exposeString('fingerprint256', { description: 'Its SHA-256 fingerprint.' }),
    expiresAt: t.expose('validToDate', { type: 'DateTime', description: 'When it expires. Assertions are accepted after that, too.' }),
  }),
})

const requiredProviders = statement<{ id: string }, [ids: readonly string[]]>(
  'required_identity_providers',
  `SELECT p.id FROM identity_providers p JOIN teams t ON t.id = p.team_id AND t.sign_in_provider_id = p.id WHERE p.id = ANY ($1::uuid[])`,
)

const useOfProviders = statement<{ id: string; count: number; lastAt: string }, [ids: readonly string[]]>(
  'use_of_identity_providers',
  `SELECT provider_id AS id, count(*)::int AS count, max(last_sign_in_at) AS "lastAt" FROM external_identities
   WHERE provider_id = ANY ($1::uuid[]) GROUP BY provider_id`,
)

const loadUse = ({ id }: { id: string }, context: Parameters<typeof loadBatched>[0]) =>
  loadBatched(context, 'use of identity providers', id, async (ids: string[]) => {
    const rows = await useOfProviders(context.database.pool, ids)
    return new Map(rows.map((row) => [row.id, row]))
  })

export const IdentityProviderType = builder.prismaObject('IdentityProvider', {
  fields: (t) => ({
    providerId: t.exposeID('id'),
    kind: t.expose('kind', { type: ProviderKindType }),
    name: t.exposeString('name'),
    issuer: t.exposeString('issuer'),
    clientId: t.exposeString('clientId', { nullable: true }),
    hasClientSecret: t.boolean({
      description: 'Whether the client authenticates with a secret, which is never shown.',
      resolve: ({ clientSecret }) => clientSecret !== null,
    }),
    ssoUrl: t.exposeString('ssoUrl', { nullable: true }),
    certificates: t.field({
      type: [IdentityProviderCertificateType],
      description: 'The certificates that verify SAML assertions; empty for OpenID Connect.',
      resolve: ({ certificates }) => certificates.map((base64) => new X509Certificate(Buffer.from(base64, 'base64'))),
    }),
    groupsClaim: t.exposeString('groupsClaim', { nullable: true }),
    jitRole: t.expose('jitRole', { type: RoleType, nullable: true }),
    redirectUri: t.string({
      nullable: true,
      description: 'The redirect URI to enter at an OpenID provider; null for SAML.',
      resolve: ({ kind, id }, _, context) => (kind === 'oidc' ? buildRedirectUri(context, id) : null),
    }),
    acsUrl: t.string({
      nullable: true,
      description: 'The assertion consumer service to enter at a SAML identity provider; null for OpenID Connect.',
      resolve: ({ kind, id }, _, context) => (kind === 'saml' ? buildAcsUrl(context, id) : null),
    }),
    entityId: t.string({
      nullable: true,
      description: 'The entity ID of this service, which is also the URL of its metadata; null for OpenID Connect.',
      resolve: ({ kind, id }, _, context) => (kind === 'saml' ? buildEntityId(context, id) : null),
    }),
    linkedUsers: t.int({
      description: 'How many users can sign in through it: each has signed in once and linked the account.',
      resolve: async (provider, _, context) => (await loadUse(provider, context))?.count ?? 0,
    }),
    lastSignInAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a user last signed in through it, or null.',
      resolve: async (provider, _, context) => (await loadUse(provider, context))?.lastAt ?? null,
    }),
    isRequired: t.boolean({
      description: 'Whether the team requires sign-in through it, now or from a later time.',
      resolve: async ({ id }, _, context) =>
        (await loadById(context, 'required identity providers', id, (ids) => requiredProviders(context.database.pool, ids))) !== null,
    }),
    testedAt: t.expose('testedAt', { type: 'DateTime', nullable: true }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

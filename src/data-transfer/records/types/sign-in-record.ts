import { z } from 'zod'
import { IdentityProviderKind, SocialProvider } from '../../../../prisma/generated/client/enums.ts'
import { text, isOneLine, emailAddress } from '../../../../schema/core/validation.ts'
import { domainName } from '../../../../schema/domains/rules.ts'
import { agentMembers } from '../../../../schema/identity-providers/agents/rules.ts'
import { providerRules } from '../../../../schema/identity-providers/rules.ts'
import { parseCertificate } from '../../../../schema/identity-providers/saml/certificates.ts'
import { groupRoleMembers } from '../../../../schema/members/groups/rules.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored, storedIn } from '../storage.ts'
import { instant, uuid, webAddress, accessibleApps } from '../values.ts'

export const domainRecord = recordType({
  schema: z.strictObject({
    type: z.literal('domain'),
    team: reference('team', teamSlug, { isKey: true }),
    domain: stored('text', domainName, { isKey: true }),
    /** Value of the TXT record, so that a published record remains valid. */
    value: stored('text', text.min(1).max(255)),
    created_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
    /** The time is trusted like `email_verified`. The next periodic check looks the record up. */
    verified_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
  }),
  table: 'team_domains',
  orderBy: 't.slug COLLATE "C", e.domain COLLATE "C"',
  subject: ['domain', 'team'],
})

const { name, clientId, groupsClaim, jitRole } = providerRules.oidc.shape

/** The certificate may have expired since it was entered. */
const certificate = text.refine(
  (value) => parseCertificate(value)?.raw.toString('base64') === value,
  'The :attribute field must be a certificate in base64.',
)

/** The record lacks the encrypted client secret and the time of the test sign-in, because another installation has other URIs. */
const identityProviderSchema = z
  .strictObject({
    type: z.literal('identity_provider'),
    // Identifier, which is part of the redirect URI.
    id: stored('uuid', uuid, { isKey: true }),
    team: reference('team', teamSlug),
    kind: stored('"IdentityProviderKind"', z.enum(IdentityProviderKind)),
    name: stored('text', name),
    // The entity ID of a SAML identity provider can have 1,024 characters (SAML 2.0 Core §8.3.6).
    issuer: stored('text', text.trim().min(1).max(1024).refine(isOneLine)),
    client_id: stored('text', optional(clientId)),
    sso_url: stored('text', optional(webAddress)),
    certificates: stored('text[]', optional(z.array(certificate).max(2)), { default: [] }),
    groups_claim: stored('text', optional(groupsClaim)),
    jit_role: stored('"Role"', optional(jitRole)),
    created_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
    disabled_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
    agents_enabled_at: stored('timestamptz', optional(instant)),
    agent_client_ids: stored('text[]', optional(agentMembers.clientIds), { default: [] }),
    agent_scopes: stored('text[]', optional(agentMembers.scopes), { default: [] }),
    links_agents_by_address: stored('boolean', optional(z.boolean()), { default: false }),
  })
  .superRefine((record, { addIssue }) => {
    const unsupported = { client_id: record.client_id, sso_url: record.sso_url, certificates: record.certificates?.[0] }
    for (const [member, value] of Object.entries(unsupported)) {
      const belongs = (member === 'client_id') === (record.kind === 'oidc')
      if (belongs === (value !== undefined)) continue
      const message = belongs
        ? 'The :attribute field is required.'
        : `The :attribute field does not belong to a provider of kind ${record.kind}.`
      addIssue({ code: 'custom', path: [member], message, input: value })
    }
  })

export const identityProviderRecord = recordType({
  schema: identityProviderSchema,
  table: 'identity_providers',
  orderBy: 't.slug COLLATE "C", e.created_at, e.id',
  subject: ['name', 'team'],
  changedAt: 'updated_at',
})

export const groupRoleRecord = recordType({
  schema: z.strictObject({
    type: z.literal('group_role'),
    team: reference('team', teamSlug, { isKey: true }),
    group: stored('text', groupRoleMembers.group, { isKey: true }),
    role: stored('"Role"', groupRoleMembers.role),
    accessible_app_ids: accessibleApps,
  }),
  table: 'group_roles',
  orderBy: 't.slug COLLATE "C", e."group" COLLATE "C"',
  subject: ['group', 'team'],
})

const socialProvider = z.enum(SocialProvider)

/** A user at an identity provider: of a team, by the identifier of its record, or a public one. Its writer is import/types/linked-identities.ts. */
const linkedIdentitySchema = z.strictObject({
  type: z.literal('linked_identity'),
  provider: storedIn({ provider_id: 'uuid', social: '"SocialProvider"' }, z.union([socialProvider, uuid]), {
    isKey: true,
    toColumns: (provider) => (socialProvider.safeParse(provider).success ? { social: provider } : { provider_id: provider }),
    select: (alias) => `coalesce(${alias}.social::text, ${alias}.provider_id::text)`,
  }),
  /** Tenant of a Microsoft account. Absent for other providers. */
  issuer: stored('text', optional(text.max(255)), { isKey: true, default: '' }),
  subject: stored('text', text.min(1).max(255), { isKey: true }),
  user: reference('user', emailAddress),
  email: stored('text', optional(emailAddress)),
  created_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
  // Time of the last sign-in, because a required sign-in must be recent.
  last_sign_in_at: stored('timestamptz', optional(instant), { keep: `'epoch'` }),
  needs_proof: stored('boolean', optional(z.boolean()), { default: false }),
})

export const linkedIdentityRecord = recordType({
  schema: linkedIdentitySchema,
  table: 'external_identities',
  orderBy: 'u.email COLLATE "C", e.created_at, e.social, e.provider_id, e.subject COLLATE "C"',
  subject: ['user', 'provider'],
})

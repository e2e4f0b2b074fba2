import { z } from 'zod'
import { IdentityProviderKind } from '../../../../prisma/generated/client/enums.ts'
import { isOneLine, text } from '../../../../schema/core/validation.ts'
import { rulesOf } from '../../../../schema/identity-providers/rules.ts'
import { parseCertificate } from '../../../../schema/identity-providers/saml/certificates.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored } from '../storage.ts'
import { uuid, instant, webAddress } from '../values.ts'

const { name, clientId, groupsClaim, jitRole } = rulesOf.oidc.shape

/** The certificate may have expired since it was entered. */
const certificate = text.refine(
  (value) => parseCertificate(value)?.raw.toString('base64') === value,
  'The :attribute field must be a certificate in base64.',
)

/** The record lacks the encrypted client secret and the time of the test sign-in, because another installation has other URIs. */
const schema = z
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
  })
  .superRefine((record, { addIssue }) => {
    const given = { client_id: record.client_id, sso_url: record.sso_url, certificates: record.certificates?.[0] }
    for (const [member, value] of Object.entries(given)) {
      const belongs = (member === 'client_id') === (record.kind === 'oidc')
      if (belongs === (value !== undefined)) continue
      const message = belongs
        ? 'The :attribute field is required.'
        : `The :attribute field does not belong to a provider of kind ${record.kind}.`
      addIssue({ code: 'custom', path: [member], message, input: value })
    }
  })

export const identityProviderRecord = recordType({
  schema,
  table: 'identity_providers',
  orderBy: 't.slug COLLATE "C", e.created_at, e.id',
  subject: ['name', 'team'],
  changedAt: 'updated_at',
})

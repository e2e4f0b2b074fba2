import { z } from 'zod'
import { SocialProvider } from '../../../../prisma/generated/client/enums.ts'
import { emailAddress, text } from '../../../../schema/core/validation.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored, storedIn } from '../storage.ts'
import { uuid, instant } from '../values.ts'

const socialProvider = z.enum(SocialProvider)

/** A user at an identity provider: of a team, by the identifier of its record, or a public one. Its writer is import/types/linked-identities.ts. */
const schema = z.strictObject({
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
  schema,
  table: 'external_identities',
  orderBy: 'u.email COLLATE "C", e.created_at, e.social, e.provider_id, e.subject COLLATE "C"',
  subject: ['user', 'provider'],
})

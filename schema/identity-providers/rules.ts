import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import { recentOwner } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { displayName, isOneLine, text } from '../core/validation.ts'

/** Maximum number of identity providers of a team. */
export const maxProviders = 5

/** The requirement to see the identity providers of a team. */
export const readProviders: Requirement = { scopes: ['acct:team:read'], roles: ['owner'] }

/** The requirement to create, change and delete them. A provider can give its users access to the team. */
export const writeProviders: Requirement = recentOwner

const line = text.trim().refine(isOneLine, 'The :attribute field must not contain line breaks or control characters.')
const lineOrNull = (max: number) =>
  line
    .max(max)
    .transform((value) => value || null)
    .nullable()

/** The settings of every kind of provider. */
const commonMembers = { name: displayName, groupsClaim: lineOrNull(255), jitRole: z.enum(['member', 'billing']).nullable() }

/** Maximum characters of the metadata of a SAML identity provider. Metadata with many certificates and logos has about 50,000. */
const maxMetadata = 200_000

/** The settings of each kind of provider. */
export const providerRules = {
  oidc: z.object({ ...commonMembers, issuer: line.min(1).max(255), clientId: line.min(1).max(255), clientSecret: lineOrNull(1000) }),
  saml: z.object({ ...commonMembers, metadata: text.trim().min(1).max(maxMetadata) }),
} as const

/** Selects the number of identity providers of a team. */
export const countProviders = statement<{ count: number }, [teamId: string]>(
  'count_identity_providers',
  'SELECT count(*)::int AS count FROM identity_providers WHERE team_id = $1',
)

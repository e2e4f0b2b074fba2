import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'
import { tokenScopes } from '../core/scopes.ts'
import { displayName, refused, text } from '../core/validation.ts'
import { conditionRules } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { presetOf } from './presets.ts'

/** How many workload identities a team can have. */
export const maxIdentities = 50

/** The rule for each member. */
export const identityMembers = {
  name: displayName,
  issuer: text.min(1).max(255),
  conditions: conditionRules,
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1)
    .transform((scopes) => [...new Set(scopes)]),
}

interface Trust {
  issuer: string
  conditions: readonly Condition[]
}

/**
 * Throws unless requests may be sent to the issuer, whose URL is compared exactly and so must be in the one form that ID tokens have, and
 * the conditions are sufficient for a provider that is known.
 */
export function requireUsableTrust({ outgoing }: Pick<Context, 'outgoing'>, { issuer, conditions }: Trust): void {
  const urlRule = outgoing.brokenRule(issuer) ?? (/[?\s]/.test(issuer) ? 'be a URL without a query' : null)
  if (urlRule !== null) throw refused({ issuer: [`The :attribute field must ${urlRule}.`] })
  const rule = presetOf(issuer)?.brokenRule(conditions) ?? null
  if (rule !== null) throw refused({ conditions: [`The :attribute field must ${rule}.`] })
}

/** How many identities a team has. */
export const countIdentities = statement<{ count: number }, [teamId: string]>(
  'count_workload_identities',
  'SELECT count(*)::int AS count FROM workload_identities WHERE team_id = $1',
)

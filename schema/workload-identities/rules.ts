import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import { tokenScopes } from '../core/scopes.ts'
import { displayName, refused, text } from '../core/validation.ts'
import { conditionRules } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { findPreset, unmeetableRule } from './presets.ts'

/** Maximum number of workload identities of a team. */
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

/** Throws unless the conditions are sufficient for a provider with a preset, and can be met by its ID tokens. */
export function requireUsableTrust({ issuer, conditions }: Trust): void {
  const preset = findPreset(issuer, conditions)
  const unmeetable = conditions.flatMap((condition) => (preset && unmeetableRule(preset, condition)) ?? [])
  const rule = preset?.brokenRule(conditions) ?? unmeetable[0] ?? null
  if (rule !== null) throw refused({ conditions: [`The :attribute field must ${rule}.`] })
}

/** Selects the number of identities of a team. */
export const countIdentities = statement<{ count: number }, [teamId: string]>(
  'count_workload_identities',
  'SELECT count(*)::int AS count FROM workload_identities WHERE team_id = $1',
)

import { z } from 'zod'
import { slugOfTeam } from '../core/global-id.ts'
import { parse, text } from '../core/validation.ts'

/** Filters by a team and a user. A name that no team or user has selects nothing. */
export interface OwnerFilters {
  /** Slug of the team. */
  team?: string | null | undefined
  /** E-mail address of the user. */
  user?: string | null | undefined
}

const rules = z.object({ team: text.max(255).transform(slugOfTeam).nullish(), user: text.max(254).nullish() })

/** The filters of the arguments, validated. */
export const ownerFilters = (args: OwnerFilters): OwnerFilters => parse(rules, args)

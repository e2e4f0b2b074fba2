import { z } from 'zod'
import { slugOfTeam } from '../core/global-id.ts'
import { parse, text } from '../core/validation.ts'
import { userIdOf } from '../teams/person.ts'

/** Filters by team and user. The list is empty if the team or user does not exist. */
export interface OwnerFilters {
  /** Slug of the team. */
  team?: string | null | undefined
  /** E-mail address of the user. */
  user?: string | null | undefined
  /** Identifier of the user. */
  userId?: string | null
}

const rules = z.object({ team: text.max(255).transform(slugOfTeam).nullish(), user: text.max(254).nullish() })

/** The filters of the arguments, validated. `user` is an address, an identifier or a global id. */
export function ownerFilters(args: Pick<OwnerFilters, 'team' | 'user'>): OwnerFilters {
  const { team, user } = parse(rules, args)
  const userId = user == null ? null : userIdOf(user)
  return { team, userId, user: userId === null ? user : null }
}

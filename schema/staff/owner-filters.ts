import { z } from 'zod'
import { query } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'
import { slugOfTeam } from '../core/global-id.ts'
import { parse, text } from '../core/validation.ts'
import { parseUserId } from '../teams/person.ts'

/** Filters by the identifiers of a team and a user. */
export interface OwnerFilters {
  teamId?: string | null
  userId?: string | null
}

interface OwnerArguments {
  /** Slug or global id of the team. */
  team?: string | null | undefined
  /** Email address, identifier or global id of the user. */
  user?: string | null | undefined
}

const rules = z.object({ team: text.max(255).transform(slugOfTeam).nullish(), user: text.max(254).nullish() })

/** The nil UUID (RFC 9562, section 5.9), which is not the identifier of any team or user: a filter by it returns an empty list. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

/**
 * Validates the arguments and returns the filters. The list is empty if the team or user does not exist. A separate statement reads them,
 * so that PostgreSQL plans that of the list for their number of rows: it expects an average number for the result of a subquery.
 */
export async function ownerFilters({ database: { pool } }: Context, args: OwnerArguments): Promise<OwnerFilters> {
  const { team, user } = parse(rules, args)
  const userId = user == null ? null : parseUserId(user)
  if (team == null && (user == null || userId !== null)) return { teamId: null, userId }
  const [owner] = await query<{ teamId: string | null; userId: string | null }>(
    pool,
    `SELECT (SELECT id FROM teams WHERE slug = $1::text) AS "teamId", (SELECT id FROM users WHERE email = lower($2::text)) AS "userId"`,
    [team ?? null, user ?? null],
  )
  return { teamId: team == null ? null : (owner?.teamId ?? nilUuid), userId: user == null ? null : (userId ?? owner?.userId ?? nilUuid) }
}

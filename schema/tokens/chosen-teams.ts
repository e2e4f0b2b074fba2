import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'
import { slugOfTeam } from '../core/global-id.ts'
import { tokenScopes } from '../core/scopes.ts'
import type { Scope } from '../core/scopes.ts'
import { invalidChoice, parse, refused, text } from '../core/validation.ts'

const rules = z.object({ teams: z.array(text.transform(slugOfTeam)).min(1).nullish() })

const limitedStaff = 'The :attribute field cannot be used with a permission of staff, which concerns all teams.'

/**
 * Returns the identifiers of the teams to which a personal token will be limited: none for no limit. Throws `validation_failed` if the user
 * is not a member of each.
 */
export async function findChosenTeams(
  { database }: Context,
  userId: string,
  slugs: readonly string[] | null | undefined,
  scopes: readonly Scope[],
): Promise<string[]> {
  const { teams } = parse(rules, { teams: slugs })
  if (!teams) return []
  if (!scopes.every((scope) => tokenScopes.includes(scope))) throw refused({ teams: [limitedStaff] })
  const uniqueSlugs = [...new Set(teams)]
  const ownTeams = await teamsOfMember(database.pool, uniqueSlugs, userId)
  if (ownTeams.length < uniqueSlugs.length) throw refused({ teams: [invalidChoice] })
  return ownTeams.map(({ id }) => id)
}

const teamsOfMember = statement<{ id: string }, [slugs: string[], userId: string]>(
  'chosen_teams',
  `SELECT t.id FROM teams t JOIN members m ON m.team_id = t.id
   WHERE t.slug = ANY ($1::text[]) AND t.deleted_at IS NULL AND m.user_id = $2`,
)

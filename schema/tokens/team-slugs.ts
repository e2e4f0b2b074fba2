import { statement } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'
import { loadById } from '../lists/batch.ts'

const findSlugs = statement<{ id: string; slug: string }, [ids: readonly string[]]>(
  'slugs_of_teams',
  'SELECT id, slug FROM teams WHERE id = ANY ($1) AND deleted_at IS NULL',
)

/** Returns the slugs of these teams, sorted, without deleted teams. All tokens of a list share one statement. */
export async function loadTeamSlugs(context: Context, ids: readonly string[]): Promise<string[]> {
  const find = (teamIds: string[]) => findSlugs(context.database.pool, teamIds)
  const teams = await Promise.all(ids.map((id) => loadById(context, 'slugs of teams', id, find)))
  return teams.flatMap((team) => team?.slug ?? []).toSorted()
}

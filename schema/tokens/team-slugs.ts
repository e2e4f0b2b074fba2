import { statement } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'

const slugsOfTeams = statement<{ id: string; slug: string }, [ids: readonly string[]]>(
  'slugs_of_teams',
  'SELECT id, slug FROM teams WHERE id = ANY ($1) AND deleted_at IS NULL',
)

interface Batch {
  ids: Set<string>
  slugs: Promise<Map<string, string>>
}

const batches = new WeakMap<Context, Batch>()

/** Returns the slugs of these teams, sorted, without deleted teams. All tokens of a list share one statement. */
export async function slugsOf(context: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const batch = batches.get(context) ?? startBatch(context)
  for (const id of ids) batch.ids.add(id)
  const slugs = await batch.slugs
  return ids.flatMap((id) => slugs.get(id) ?? []).toSorted()
}

function startBatch(context: Context): Batch {
  const ids = new Set<string>()
  const load = async () => {
    // The promise resolves in the next turn of the event loop, when every token of the list has added its teams.
    await new Promise(setImmediate)
    batches.delete(context)
    const rows = await slugsOfTeams(context.database.pool, [...ids])
    return new Map(rows.map(({ id, slug }) => [id, slug]))
  }
  const batch = { ids, slugs: load() }
  batches.set(context, batch)
  return batch
}

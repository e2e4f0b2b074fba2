import { query } from '../../../prisma/statement/statement.ts'
import type { Context } from '../../core/context.ts'
import { loadBatched } from '../../lists/batch.ts'

/**
 * Returns the internal keys of the clients that a condition on `$1` matches. A separate statement reads them, so that PostgreSQL plans the
 * statement of the list for the number of their grants.
 */
export async function clientKeys(context: Context, condition: string, value: string | null | undefined): Promise<string[] | null> {
  if (value == null) return null
  const find = async ([each]: string[]) => {
    const rows = await query<{ id: string }>(context.database.pool, `SELECT id FROM oauth_clients WHERE ${condition} ORDER BY id`, [each])
    return new Map([[value, rows.map(({ id }) => id)]])
  }
  return (await loadBatched(context, `clients with ${condition}: ${value}`, value, find)) ?? []
}

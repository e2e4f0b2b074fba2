import type { ClientBase } from 'pg'

/** The identifiers after `after`, up to and including `upTo`. */
export type IdRange = readonly [after: string, upTo: string]

const first = '00000000-0000-0000-0000-000000000000'
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Splits all identifiers into ranges, each with at most `size` rows of the table. A check that reads one range after the other has short
 * statements, however many rows there are. The ranges also include identifiers without a row.
 */
export async function* readIdRanges(session: ClientBase, table: 'teams' | 'users' | 'webhooks', size: number): AsyncGenerator<IdRange> {
  let after = first
  while (true) {
    const { rows } = await session.query<{ id: string }>(`SELECT id FROM ${table} WHERE id > $1 ORDER BY id OFFSET ${size - 1} LIMIT 1`, [
      after,
    ])
    const upTo = rows[0]?.id ?? last
    yield [after, upTo]
    if (upTo === last) return
    after = upTo
  }
}

import type pg from 'pg'

interface Plan {
  'Node Type': string
  'Parent Relationship'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Executes a statement and returns the number of rows that it reads from tables and indexes, also those that a condition removes. */
export async function rowsRead(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
  return rowsOf(rows[0]['QUERY PLAN'][0].Plan)
}

const rowsOf = (plan: Plan): number =>
  scannedBy(plan) * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

function scannedBy(plan: Plan): number {
  if (!plan['Node Type'].includes('Scan') || plan['Node Type'] === 'CTE Scan') return 0
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  // A scan that only has subplans reads a table. One of a subquery or of a bitmap returns what its child has read.
  const hasInput = plan.Plans?.some((child) => ['Outer', 'Subquery', 'Member'].includes(child['Parent Relationship'] ?? ''))
  return removed + (hasInput ? 0 : plan['Actual Rows'])
}

import type pg from 'pg'

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** Executes a statement and returns the number of rows that it reads from tables and indexes. */
export async function rowsRead(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
  return rowsOf(rows[0]['QUERY PLAN'][0].Plan)
}

const rowsOf = (plan: Plan): number =>
  (plan['Node Type'].includes('Scan') && !plan.Plans ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

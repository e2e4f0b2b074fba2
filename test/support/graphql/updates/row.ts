import type { TestService } from '../../service/service.ts'
import type { Update } from './update.ts'

type Row = Record<string, unknown>

/** The row of the object that an update changes. */
export async function readRow({ database }: Pick<TestService, 'database'>, { table, row }: Update): Promise<Row> {
  const condition = Object.keys(row).map((key, index) => `${key}::text = $${index + 1}`)
  const text = `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${condition.join(' AND ')}`
  return (await database.pool.query(text, Object.values(row))).rows[0].row
}

/** Columns with other values afterwards, apart from the time of the change. */
export const changedColumns = (before: Row, after: Row) =>
  Object.keys(before).filter((column) => column !== 'updated_at' && JSON.stringify(before[column]) !== JSON.stringify(after[column]))

import type { ClientBase } from 'pg'
import { urlConnection, withSession } from '../../../../src/database/connection.ts'
import { withoutIndexes } from './many-entries.ts'

interface Column {
  name: string
  type: string
  isUnique: boolean
}

const columnsText = `
  SELECT a.attname AS name, a.atttypid::regtype::text AS type, EXISTS (
    SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey)) AS "isUnique"
  FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`

/** A value that differs for each copy of a row, of the form of the original. */
function copyColumn({ name, type, isUnique }: Column): string {
  const column = `r.${JSON.stringify(name)}`
  const text = `md5(n || ${column}::text)`
  // Nothing new is due: what lies ahead is later, and what happened was within a few days.
  if (type.startsWith('timestamp'))
    return `CASE WHEN ${column} > now() THEN ${column} + n * interval '1 minute' ELSE ${column} - n % 5000 * interval '1 minute' END`
  if (type === 'uuid') return `CASE WHEN ${column} IS NOT NULL THEN gen_random_uuid() END`
  if (!isUnique) return column
  if (type === 'bytea') return `sha256(convert_to(n || ${column}::text, 'UTF8'))`
  if (type === 'bigint') return '-n'
  if (type === 'text') return `CASE WHEN ${column} LIKE '%@%' THEN ${text} || '@example.test' ELSE ${text} END`
  return column
}

/** Copies a row of each table that has rows so many times, without triggers and foreign keys. Returns the tables that have none. */
export const fillTables = (databaseUrl: string, tables: readonly string[], countOf: (table: string) => number): Promise<string[]> =>
  withSession(urlConnection(databaseUrl), async (session) => {
    await session.query('SET synchronous_commit = off')
    await session.query('SET session_replication_role = replica')
    const empty: string[] = []
    for (const table of tables) {
      const { rows } = await session.query<Column>(columnsText, [table])
      const names = rows.map(({ name }) => JSON.stringify(name)).join(', ')
      const { rowCount } = await session.query(`SELECT FROM ${table} LIMIT 1`)
      if (rowCount === 0) empty.push(table)
      else
        await withoutIndexes(session, table, () =>
          session.query(
            `INSERT INTO ${table} (${names}) SELECT ${rows.map(copyColumn).join(', ')}
             FROM (SELECT * FROM ${table} LIMIT 1) r, generate_series(1, ${countOf(table)}) n`,
          ),
        )
    }
    await session.query('VACUUM ANALYZE')
    return empty
  })

/** The tables of the service and of the job queue. */
export async function tablesOf(session: Pick<ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'pgboss') AND c.relkind = 'r' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

import type { ClientBase } from 'pg'
import { queueSchema } from '../jobs/queue.ts'

export interface BackupTable {
  /** Name of the table in the backup. */
  name: string
  /** Name of the table in SQL. */
  sqlName: string
  columns: string[]
}

/**
 * Returns the tables of the service and the jobs, each after the tables that it references. Columns of type xid8 are omitted: they contain
 * transactions of this PostgreSQL cluster, and their default is the transaction of the restore.
 */
export async function listTables(session: ClientBase): Promise<BackupTable[]> {
  const { rows } = await session.query<BackupTable>(
    `WITH RECURSIVE stored AS (
       SELECT oid, relname, relnamespace = current_schema()::regnamespace AS is_own FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' OR oid = to_regclass('${queueSchema}.job')
     ), depths AS (
       SELECT oid, 0 AS depth FROM stored
       UNION SELECT c.conrelid, depth + 1 FROM depths JOIN pg_constraint c ON c.contype = 'f' AND c.confrelid = depths.oid AND c.conrelid <> c.confrelid
       WHERE depth < 50
     )
     SELECT CASE WHEN is_own THEN relname ELSE '${queueSchema}.' || relname END AS name, oid::regclass::text AS "sqlName",
       ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
             AND atttypid <> 'xid8'::regtype ORDER BY attnum) AS columns
     FROM stored JOIN (SELECT oid, max(depth) AS depth FROM depths GROUP BY oid) d USING (oid) ORDER BY depth, name`,
  )
  return rows
}

/** Returns the number of tables in the database, including those of other programs in the same schema. */
export async function countTables(session: ClientBase): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace IN (current_schema()::regnamespace, to_regnamespace('${queueSchema}'))`,
  )
  return rows[0]?.count ?? 0
}

/** Returns the names of the job queues. */
export async function listQueues(session: ClientBase): Promise<string[]> {
  const { rows: tables } = await session.query(`SELECT to_regclass('${queueSchema}.queue') AS oid`)
  if (tables[0]?.oid === null) return []
  const { rows } = await session.query<{ name: string }>(`SELECT name FROM ${queueSchema}.queue ORDER BY name`)
  return rows.map(({ name }) => name)
}

/** Returns the last value of each sequence, as text; null if the sequence was never used. */
export async function readSequences(session: ClientBase): Promise<Record<string, string | null>> {
  const { rows } = await session.query<{ name: string; value: string | null }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = current_schema()`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

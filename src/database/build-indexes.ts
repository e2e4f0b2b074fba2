import { setInterval } from 'node:timers/promises'
import type pg from 'pg'
import { hasCode, getErrorMessage } from '../config/error-message.ts'
import { withSession } from './connection.ts'
import type { DatabaseLog } from './embedded/postgres-log.ts'
import type { Migration } from './migrations.ts'

// CREATE INDEX locks its table against changes until it has read all rows. On large tables, the indexes of a migration are therefore built
// before it, without that lock, which is impossible in its transaction (docs/operations/upgrade.md#large-databases).

const indexStatement = /^CREATE (UNIQUE )?INDEX "([^"]+)"\s+ON "([^"]+)"([^;]*);/gm

/** Returns a script whose indexes are created only if they have not been built before. */
export const withoutBuiltIndexes = (script: string): string =>
  script.replace(indexStatement, 'CREATE $1INDEX IF NOT EXISTS "$2" ON "$3"$4;')

interface Index {
  name: string
  table: string
  /** Statement that builds the index without a lock. */
  statement: string
}

const listIndexes = ({ sql }: Migration): Index[] =>
  [...sql.matchAll(indexStatement)].map(([, unique = '', name = '', table = '', rest = '']) => ({
    name,
    table,
    statement: `CREATE ${unique}INDEX CONCURRENTLY "${name}" ON "${table}"${rest}`,
  }))

/** Maximum size in bytes of a table on which a migration creates the indexes itself, within a second. */
const smallTable = 16 * 1024 * 1024
const progressMilliseconds = 10_000
/** Maximum number of repetitions of a build that PostgreSQL ended because of a deadlock, for example with an older version. */
const maxRepetitions = 5

/**
 * Builds the indexes of a migration on tables that are already large. The migration builds an index on columns that it adds. An interrupted
 * build starts again; complete ones are kept.
 */
export async function buildIndexes(
  connection: pg.ClientConfig,
  session: pg.ClientBase,
  migration: Migration,
  log: DatabaseLog,
): Promise<void> {
  for (const index of listIndexes(migration)) {
    const { rows } = await session.query<{ bytes: string | null; isValid: boolean | null }>(
      `SELECT pg_table_size(to_regclass(quote_ident($1))) AS bytes,
         (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($2))) AS "isValid"`,
      [index.table, index.name],
    )
    const { bytes = null, isValid = null } = rows[0] ?? {}
    if (bytes === null || Number(bytes) <= smallTable || isValid === true) continue
    await withSession(connection, (builder) => build(builder, session, index, log))
  }
}

async function build(builder: pg.Client, session: pg.ClientBase, { name, statement }: Index, log: DatabaseLog): Promise<void> {
  for (let repetition = 0; ; repetition++) {
    await builder.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`)
    const ended = new AbortController()
    const reports = reportProgress(builder, session, { name, log, signal: ended.signal })
    try {
      await builder.query(statement)
      log.info(`built index ${name}`)
      return
    } catch (error) {
      // The code 42703 means that the migration adds the column.
      if (hasCode(error, '42703')) return
      if (!hasCode(error, '40P01') || repetition === maxRepetitions)
        throw new Error(`the index ${name} cannot be built: ${getErrorMessage(error)}`, { cause: error })
    } finally {
      ended.abort()
      await reports
    }
  }
}

interface Progress {
  phase: string
  percent: number | null
}

/** Logs PostgreSQL's progress until the signal. */
async function reportProgress(
  builder: pg.Client,
  session: pg.ClientBase,
  { name, log, signal }: { name: string; log: DatabaseLog; signal: AbortSignal },
): Promise<void> {
  const { rows } = await builder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  try {
    for await (const _ of setInterval(progressMilliseconds, null, { signal })) {
      const { rows: progress } = await session.query<Progress>(
        `SELECT phase, CASE WHEN blocks_total > 0 THEN 100 * blocks_done / blocks_total END::int AS percent
         FROM pg_stat_progress_create_index WHERE pid = $1`,
        [rows[0]?.pid],
      )
      for (const { phase, percent } of progress) log.info(`index ${name}: ${phase}${percent === null ? '' : `, ${percent} %`}`)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

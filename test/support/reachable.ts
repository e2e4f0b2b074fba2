import pg from 'pg'
import { messageOf } from '../../src/failure.ts'

/**
 * `node test/support/reachable.ts URL`: status 0, and the version in words, when a PostgreSQL 15 or newer answers
 * there and lets us make databases.
 */
const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3000 })
try {
  await client.connect()
  const { rows } = await client.query<{ version: string; may: boolean }>(
    `SELECT current_setting('server_version') AS version,
            rolcreatedb AND current_setting('server_version_num')::int >= 150000 AS may
       FROM pg_roles WHERE rolname = current_user`,
  )
  console.log(`PostgreSQL ${rows[0]?.version} answers`)
  process.exitCode = rows[0]?.may ? 0 : 1
} catch (error) {
  console.log(messageOf(error))
  process.exitCode = 1
} finally {
  await client.end().catch(() => undefined)
}

import pg from 'pg'
import { getErrorMessage } from '../../../src/config/error-message.ts'

/**
 * `node test/support/processes/check-postgres.ts URL` exits with 0 if PostgreSQL 15 or newer runs at the URL and its user
 * may create databases, and with 1 otherwise. Prints the version or the error.
 */
const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3000 })
try {
  await client.connect()
  const { rows } = await client.query<{ version: string; is_usable: boolean }>(
    `SELECT current_setting('server_version') AS version,
            rolcreatedb AND current_setting('server_version_num')::int >= 150000 AS is_usable
       FROM pg_roles WHERE rolname = current_user`,
  )
  console.log(`PostgreSQL ${rows[0]?.version} is available.`)
  process.exitCode = rows[0]?.is_usable ? 0 : 1
} catch (error) {
  console.log(getErrorMessage(error))
  process.exitCode = 1
} finally {
  await client.end().catch(() => undefined)
}

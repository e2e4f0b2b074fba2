import type { ClientBase } from 'pg'
import { connectionWarning } from '../../processes/connection-limit.ts'
import { processCount } from '../../processes/process-count.ts'
import { findReadOnlyReason } from '../../database/readiness.ts'
import type { Check, CheckProblem } from './check.ts'

/** Settings of PostgreSQL with the values that the service requires. */
const required = [
  { name: 'fsync', values: ['on'], why: 'a power failure can destroy the database' },
  { name: 'full_page_writes', values: ['on'], why: 'a power failure can destroy the database' },
  {
    name: 'synchronous_commit',
    values: ['on', 'remote_write', 'remote_apply', 'local'],
    why: 'a crash can lose committed changes, such as the revocation of a token',
  },
  { name: 'server_encoding', values: ['UTF8'], why: 'names in other scripts cannot be stored' },
  { name: 'default_transaction_isolation', values: ['read committed'], why: 'parallel changes fail' },
] as const

export const postgresqlCheck: Check = {
  name: 'postgresql',
  description:
    'PostgreSQL stores commits durably, accepts changes (is neither a standby nor read-only), knows the letters of all scripts and allows enough connections',
  async run({ config, session, connection }) {
    const { rows } = await session.query<{ name: string; value: string }>(
      'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
      [required.map(({ name }) => name)],
    )
    const problems: CheckProblem[] = required.flatMap(({ name, values, why }) => {
      const value = rows.find((row) => row.name === name)?.value ?? ''
      if (values.some((each) => each === value)) return []
      return [{ problem: `${name} is ${value}: ${why}`, action: `set ${name} to ${values[0]} in the configuration of PostgreSQL` }]
    })
    const readOnly = await findReadOnlyReason(session)
    if (readOnly !== null) problems.push({ problem: readOnly, action: 'let DATABASE_URL name the primary' })
    // Another encoding, which is reported above, may lack the letters of the query.
    if (rows.some(({ name, value }) => name === 'server_encoding' && value === 'UTF8'))
      problems.push(...(await characterTypeProblems(session)))
    const warning = await connectionWarning(connection, processCount(config), config.databasePool)
    const [problem, action] = warning?.split(': ') ?? []
    return problem === undefined ? problems : [...problems, { problem, action: action ?? '' }]
  },
}

/** The character type and the locale of a database cannot be changed (docs/decisions/pagination.md#letters). */
async function characterTypeProblems(session: ClientBase): Promise<CheckProblem[]> {
  const { rows } = await session.query<{ type: string; is_unicode: boolean }>(
    `SELECT datctype AS type, lower('ŁЯ') = 'łя' AS is_unicode FROM pg_database WHERE datname = current_database()`,
  )
  const findProblem = (type: string) => `the character type (LC_CTYPE) is ${type}: letters other than A to Z are compared exactly`
  return rows.flatMap(({ type, is_unicode }) => (is_unicode ? [] : [{ problem: findProblem(type), action }]))
}

const action =
  'write a backup, restore it into a new data folder, or into a new database with a UTF-8 character type, and then run doctor --repair'

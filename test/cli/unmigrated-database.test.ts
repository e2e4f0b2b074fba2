import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countTables } from '../../src/backup/catalog.ts'
import { withSession } from '../../src/database/connection.ts'
import { useFolder } from '../support/backup/backup-files.ts'
import { runCli } from '../support/service/cli.ts'
import { useDatabase } from '../support/service/database.ts'

const folder = useFolder()
const empty = useDatabase({ migrated: false })
const migrated = useDatabase()
const tableChecks = ['schema', 'counts', 'names', 'keys', 'outgoing', 'webhooks', 'issuers', 'providers', 'certificates', 'domains']

async function doctor(url: string) {
  const { status, stdout } = await runCli({ DATABASE_URL: url }, ['doctor', '--json'])
  const { data }: { data: { check: string; state: string; problems: object[] }[] } = JSON.parse(stdout)
  const skipped = data.filter(({ state }) => state === 'skipped').map(({ check }) => check)
  return { status, migrations: data.find(({ check }) => check === 'migrations'), skipped }
}

test('doctor reports a database without tables as one problem, and skips the checks that need them', async () => {
  const action = 'start the service, which applies the migrations, or run migrate deploy'
  expect(await doctor(empty.url)).toEqual({
    status: 1,
    migrations: {
      check: 'migrations',
      state: 'wrong',
      problems: [{ problem: 'no migration is applied: the database is new', action }],
      warnings: [],
    },
    skipped: tableChecks,
  })
  expect((await runCli({ DATABASE_URL: empty.url }, ['doctor'])).stdout).toMatch(/^schema +skipped +– +–$/m)
})

test('the statement that doctor names for a migration that did not finish makes it pending', async () => {
  const name = '20261125000000_initial'
  await withSession(migrated.poolConfig, async (session) => {
    await session.query('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1', [name])
    const { migrations } = await doctor(migrated.url)
    const statement = /UPDATE _prisma_migrations .*?(?="\})/.exec(JSON.stringify(migrations?.problems))?.[0]
    await session.query(statement ?? '')
  })
  expect(await doctor(migrated.url)).toMatchObject({
    migrations: { state: 'wrong', problems: [{ problem: `migration ${name} is not applied` }] },
    skipped: tableChecks,
  })
})

test.each(['backup', 'export', 'audit export'])(
  '%s refuses a database without tables, writes no file and creates none',
  async (command) => {
    const file = folder('empty.file')
    const result = await runCli({ DATABASE_URL: empty.url }, [...command.split(' '), file])
    const stderr = 'the database has no tables: start the service, or run migrate deploy\n'
    expect(result).toEqual({ status: 1, stdout: '', stderr })
    expect(existsSync(file)).toBe(false)
    expect(await withSession(empty.poolConfig, countTables)).toBe(0)
  },
)

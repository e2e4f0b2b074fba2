import { afterEach, beforeEach, expect, test } from 'vitest'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { runCli } from '../support/service/cli.ts'
import { createDatabase } from '../support/service/database.ts'
import type { TestDatabase } from '../support/service/database.ts'

let database: TestDatabase
beforeEach(async () => void (database = await createDatabase({ migrated: false })))
afterEach(() => database.drop())

test('migrate status lists pending migrations without applying them, and any other command applies them', async () => {
  const status = () => runCli({ DATABASE_URL: database.url }, ['migrate', 'status', '--json'])
  const before = await status()
  const { pending } = JSON.parse(before.stdout)
  expect({ ...before, stdout: JSON.parse(before.stdout) }).toEqual({
    status: 1,
    stdout: { applied: [], pending: expect.arrayContaining(['20261125000000_initial']), edited: [], failed: [], unknown: [], newer: [] },
    stderr: '',
  })
  expect(JSON.parse((await status()).stdout).pending).toEqual(pending)
  const list = await runCli({ DATABASE_URL: database.url }, ['team', 'list', '--json'])
  expect(list).toEqual({ status: 0, stdout: '{"data":[]}\n', stderr: '' })
  const after = await status()
  expect({ ...after, stdout: JSON.parse(after.stdout) }).toEqual({
    status: 0,
    stdout: { applied: pending, pending: [], edited: [], failed: [], unknown: [], newer: [] },
    stderr: '',
  })
  const text = await runCli({ DATABASE_URL: database.url }, ['migrate', 'status'])
  expect(text).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^MIGRATION +STATE\n20261125000000_initial +applied\n/),
    stderr: '',
  })
})

test('migrate deploy applies pending migrations once, also when it runs twice at the same time', async () => {
  const deploy = () => runCli({ DATABASE_URL: database.url }, ['migrate', 'deploy', '--json'])
  const results = await Promise.all([deploy(), deploy()])
  expect(results).toEqual([expect.objectContaining({ status: 0, stderr: '' }), expect.objectContaining({ status: 0, stderr: '' })])
  const applied = results.map(({ stdout }): string[] => JSON.parse(stdout).applied)
  expect(applied.flat()).toEqual(expect.arrayContaining(['20261125000000_initial']))
  expect(applied.map(({ length }) => length)).toContain(0)
  const text = await runCli({ DATABASE_URL: database.url }, ['migrate', 'deploy'])
  expect(text).toEqual({ status: 0, stdout: 'No migration is pending.\n', stderr: '' })
})

test('migrate deploy needs no right but that of the owner of the database', async () => {
  const url = new URL(database.url)
  const role = url.pathname.slice(1)
  await withSession(urlConnection(database.url), async (session) => {
    await session.query(`CREATE ROLE ${role}`)
    await session.query(`ALTER DATABASE ${role} OWNER TO ${role}`)
  })
  url.searchParams.set('options', `-c role=${role}`)
  const deployed = await runCli({ DATABASE_URL: url.href }, ['migrate', 'deploy', '--json'])
  expect(deployed).toMatchObject({ status: 0, stderr: '' })
  const owners = await withSession(urlConnection(database.url), async (session) => {
    const { rows } = await session.query('SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = current_schema()')
    await session.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`)
    return rows
  })
  expect(owners).toEqual([{ tableowner: role }])
})

import { afterEach, beforeEach, expect, test } from 'vitest'
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
    stdout: { applied: [], pending: expect.arrayContaining(['20261121000000_initial']), edited: [], failed: [], unknown: [] },
    stderr: '',
  })
  expect(JSON.parse((await status()).stdout).pending).toEqual(pending)
  const list = await runCli({ DATABASE_URL: database.url }, ['team', 'list', '--json'])
  expect(list).toEqual({ status: 0, stdout: '{"data":[]}\n', stderr: '' })
  const after = await status()
  expect({ ...after, stdout: JSON.parse(after.stdout) }).toEqual({
    status: 0,
    stdout: { applied: pending, pending: [], edited: [], failed: [], unknown: [] },
    stderr: '',
  })
  const text = await runCli({ DATABASE_URL: database.url }, ['migrate', 'status'])
  expect(text).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^MIGRATION +STATE\n20261121000000_initial +applied\n/),
    stderr: '',
  })
})

test('migrate deploy applies pending migrations once, also when it runs twice at the same time', async () => {
  const deploy = () => runCli({ DATABASE_URL: database.url }, ['migrate', 'deploy', '--json'])
  const results = await Promise.all([deploy(), deploy()])
  expect(results).toEqual([expect.objectContaining({ status: 0, stderr: '' }), expect.objectContaining({ status: 0, stderr: '' })])
  const applied = results.map(({ stdout }): string[] => JSON.parse(stdout).applied)
  expect(applied.flat()).toEqual(expect.arrayContaining(['20261121000000_initial']))
  expect(applied.map(({ length }) => length)).toContain(0)
  const text = await runCli({ DATABASE_URL: database.url }, ['migrate', 'deploy'])
  expect(text).toEqual({ status: 0, stdout: 'No migration is pending.\n', stderr: '' })
})

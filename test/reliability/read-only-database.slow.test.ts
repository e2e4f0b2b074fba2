import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { withSession } from '../../src/database/connection.ts'
import { runCli } from '../support/service/cli.ts'
import { useDatabase } from '../support/service/database.ts'
import { startMain } from '../support/processes/service-process.ts'
import { waitFor } from '../support/service/wait.ts'

// What a standby, or a primary that was made read-only, answers: statements that only read succeed.

const { url, poolConfig } = useDatabase()
const name = new URL(url).pathname.slice(1)
const env = { DATABASE_URL: url, DATA_DIR: path.join(inject('runFolder'), `read-only-${process.pid}`) }

/** Makes new sessions read-only or not, and ends those that are open. */
const setReadOnly = (value: 'on' | 'off') =>
  withSession(poolConfig, async (session) => {
    await session.query('SET default_transaction_read_only = off')
    await session.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
    await session.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()', [name])
  })

test('a read-only database is not ready, doctor reports it, and a start on it names the setting', async () => {
  const service = startMain(env)
  const origin = await service.origin
  const ready = async () => (await fetch(`${origin}/readyz?verbose`)).text()
  try {
    expect(await ready()).toContain('[+]database ok')
    await setReadOnly('on')
    await waitFor(async () => (await ready()).includes('[-]database failed'))
    const { stdout } = await runCli(env, ['doctor', '--json'])
    const { data }: { data: { check: string; problems: object[] }[] } = JSON.parse(stdout)
    const problem = { problem: 'the database is read-only', action: 'let DATABASE_URL name the primary' }
    expect(data.find(({ check }) => check === 'postgresql')?.problems).toContainEqual(problem)
    await setReadOnly('off')
    await waitFor(async () => (await ready()).includes('[+]database ok'))
  } finally {
    service.signal('SIGKILL')
    await service.ended
  }
  await setReadOnly('on')
  const refused = startMain(env)
  expect(await refused.ended).toBe(1)
  expect(refused.output().stderr).toContain('DATABASE_URL: the database is read-only: name the primary')
  await setReadOnly('off')
})

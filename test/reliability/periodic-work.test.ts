import { afterAll, expect, test } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import { everyMinute } from '../../src/jobs/every-minute.ts'
import { useDatabase } from '../support/service/database.ts'

const { poolConfig } = useDatabase()
const databases = Array.from({ length: 3 }, () => openClient(poolConfig))
const [database] = databases
const errors: unknown[] = []
afterAll(() => Promise.all(databases.map((each) => each.close())))

/** The same work in three processes, each with its own connections. Returns how many have worked. */
function createProcesses(name: string) {
  const processes = databases.map((each) =>
    everyMinute({ name, database: each, report: (error) => errors.push(error) }, () => Promise.resolve(0)),
  )
  return async () => (await Promise.all(processes.map((each) => each.runIfDue()))).filter((result) => result !== null).length
}
const moveLastRun = (name: string, interval: string) =>
  database?.pool.query('UPDATE periodic_work SET started_at = started_at + $2::interval WHERE name = $1', [name, interval])

test('one of several processes does periodic work, once a minute', async () => {
  const runAll = createProcesses('first')
  expect([await runAll(), await runAll()]).toEqual([1, 0])
  await moveLastRun('first', '-30 seconds')
  expect(await runAll()).toBe(0)
  await moveLastRun('first', '-30 seconds')
  expect([await runAll(), await runAll()]).toEqual([1, 0])
  expect(errors).toEqual([])
})

test('periodic work of one kind does not delay another kind', async () => {
  expect([await createProcesses('second')(), await createProcesses('third')()]).toEqual([1, 1])
})

test('periodic work continues after the clock of the database was set back', async () => {
  const runAll = createProcesses('fourth')
  expect(await runAll()).toBe(1)
  await moveLastRun('fourth', '1 day')
  expect([await runAll(), await runAll()]).toEqual([1, 0])
})

import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDataFolder, postgresPid } from '../../support/processes/data-folder.ts'
import { reservePort } from '../../support/processes/port.ts'
import { startMain } from '../../support/processes/service-process.ts'
import type { ServiceProcess } from '../../support/processes/service-process.ts'
import { startLoad } from '../../support/faults/steady-load.ts'
import { commandLineOf, workersOf } from '../../support/faults/processes.ts'
import { useDatabase } from '../../support/service/database.ts'
import { isFull } from '../../support/service/full.ts'
import { waitFor } from '../../support/service/wait.ts'

const { url: databaseUrl, poolConfig } = useDatabase()
const pool = new pg.Pool(poolConfig)
const running: ServiceProcess[] = []

function start(settings: Record<string, string> = {}): ServiceProcess {
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `workers-${process.pid}`),
    DATABASE_URL: databaseUrl,
    WEB_CONCURRENCY: '2',
    LOG_LEVEL: 'warn',
    ...settings,
  })
  running.push(service)
  return service
}
afterAll(async () => {
  for (const service of running) service.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await pool.end()
})

/** Resolves when two workers run, none of which is in `former`. */
const waitForWorkers = (pid: number, former: readonly number[] = []): Promise<number[]> =>
  waitFor(() => {
    const workers = workersOf(pid)
    return workers.length === 2 && workers.every((each) => !former.includes(each)) ? workers : null
  })

/** Counts the processes that wait for notifications about jobs. */
async function jobWorkers(): Promise<number> {
  const { rowCount } = await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'LISTEN %'`)
  return rowCount ?? 0
}

const wrongCredential = { Authorization: 'Bearer pat_0123456789ABCDEFGHIJKLMNOPQRST1fukiD' }

describe('a service with two workers', () => {
  let service: ServiceProcess
  let origin: string
  beforeAll(async () => {
    service = start({ SHUTDOWN_DELAY: '1' })
    origin = await service.origin
  })

  test('prints the greeting once, and its workers have the memory options of the primary process', async () => {
    expect(service.output().stdout.match(/The team account service is running/g)).toHaveLength(1)
    const options = commandLineOf(service.pid).filter((word) => word.startsWith('--'))
    expect(options.length).toBeGreaterThan(2)
    for (const worker of await waitForWorkers(service.pid)) expect(commandLineOf(worker)).toEqual(expect.arrayContaining(options))
  })

  test.runIf(isFull)('works on jobs in one of its workers', async () => {
    expect(await waitFor(jobWorkers)).toBe(1)
  })

  test.runIf(isFull)('replaces all workers on SIGHUP without a refused or broken request', async () => {
    const former = await waitForWorkers(service.pid)
    const load = startLoad(`${origin}/api/v1/teams`, 8, wrongCredential)
    await waitFor(() => load.count() > 50)
    service.signal('SIGHUP')
    await waitForWorkers(service.pid, former)
    const count = load.count()
    await waitFor(() => load.count() > count + 50)
    await load.stop()
    expect([...load.outcomes.keys()]).toEqual(['401'])
    expect(service.output().stderr).toBe('')
    expect(await waitFor(jobWorkers)).toBe(1)
  })

  test.runIf(isFull)('keeps serving requests and replaces a worker that is killed', async () => {
    const [killed = 0, other = 0] = await waitForWorkers(service.pid)
    process.kill(killed, 'SIGKILL')
    expect((await waitForWorkers(service.pid, [killed]))[0]).toBe(other)
    expect((await fetch(`${origin}/api/v1/teams`)).status).toBe(401)
    expect(service.output().stderr).toMatch(new RegExp(`worker process ${killed} ended by SIGKILL; another one is started`))
  })

  test('becomes unready on SIGTERM, then ends with its workers, also if the signal reaches all of them', async () => {
    const workers = await waitForWorkers(service.pid)
    await waitFor(async () => (await fetch(`${origin}/readyz`)).status === 200)
    for (const pid of [service.pid, ...workers]) process.kill(pid, 'SIGTERM')
    await waitFor(async () => (await fetch(`${origin}/readyz`)).status === 503)
    expect(await service.ended).toBe(0)
    expect(workersOf(service.pid)).toEqual([])
  })
})

test('a service whose workers cannot start ends with the reason', async () => {
  const other = reservePort()
  const service = start({ PORT: String(other.port) })
  expect(await service.ended).toBe(1)
  other.release()
  expect(service.output().stdout).toBe('')
  expect(service.output().stderr).toBe(`PORT ${other.port} is taken by another program\n`)
})

test('a service whose workers cannot decrypt the keys of the database ends with the reason', async () => {
  const first = start()
  await first.origin
  first.signal('SIGTERM')
  await first.ended
  const second = start({ SECRET_KEY: 'another key, which does not fit at all' })
  expect(await second.ended).toBe(1)
  expect(second.output().stderr).toMatch(/^SECRET_KEY differs from the one that encrypted the signing keys of this database: [^\n]*\n$/)
})

test.runIf(isFull)('a service warns if its workers may open more connections than PostgreSQL allows', async () => {
  const service = start({ DATABASE_POOL: '500' })
  await service.origin
  expect(service.output().stderr).toContain('2 processes with DATABASE_POOL 500 open up to 1010 connections, and PostgreSQL allows ')
})

// Each starts several processes or waits for a time limit.
describe.runIf(isFull)('a service with two workers, in detail', () => {
  test('opens an embedded database, its secret key and the demo team once', async () => {
    const data = createDataFolder()
    const service = startMain({ DATA_DIR: data.folder, WEB_CONCURRENCY: '2' })
    running.push(service)
    await service.origin
    const [, token, url = ''] = /^ +curl -H "Authorization: Bearer (\w+)" (\S+)$/m.exec(service.output().stdout) ?? []
    expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    expect((await fetch(`${await service.origin}/dev/mail`)).status).toBe(200)
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(postgresPid(data.folder)).toBeUndefined()
    await data.remove()
  })

  test('kills a worker that hangs when it stops', async () => {
    const service = start()
    await service.origin
    const [hanging = 0] = await waitForWorkers(service.pid)
    process.kill(hanging, 'SIGSTOP')
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(service.output().stderr).toContain(`worker process ${hanging} did not stop within 25 s and is killed`)
  })

  test('ends its workers if the primary process is killed', async () => {
    const service = start()
    await service.origin
    const workers = await waitForWorkers(service.pid)
    service.signal('SIGKILL')
    await expect.poll(() => workers.flatMap(commandLineOf).join('')).toBe('')
  })

  test('waits longer before each new start of a worker that keeps ending', async () => {
    const service = start()
    await service.origin
    for (const _ of [1, 2, 3]) {
      const [, worker = 0] = await waitForWorkers(service.pid)
      process.kill(worker, 'SIGKILL')
      await waitFor(() => !workersOf(service.pid).includes(worker))
    }
    // The third replacement comes after two seconds, and the other worker serves requests until then.
    expect(workersOf(service.pid)).toHaveLength(1)
    expect((await fetch(`${await service.origin}/api/v1/teams`)).status).toBe(401)
    await waitForWorkers(service.pid)
  })
})

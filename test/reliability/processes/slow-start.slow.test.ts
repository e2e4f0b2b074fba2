import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import pg from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { holdLocks, lockWaiters } from '../../support/processes/locks.ts'
import { startMain } from '../../support/processes/service-process.ts'
import { createDatabase } from '../../support/service/database.ts'
import { waitFor } from '../../support/service/wait.ts'

test('a service starts although another process delays its first statements for longer than a request may wait', async () => {
  const { poolConfig, url, drop } = await createDatabase()
  const pool = new pg.Pool(poolConfig)
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  // Another process that starts at the same time creates the first signing keys under this lock.
  const lock = await holdLocks(pool, 'SELECT pg_advisory_xact_lock($1)', [advisoryLocks.signingKeys])
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `slow-start-${process.pid}`),
    DATABASE_URL: url,
    LOG_LEVEL: 'error',
  })
  onTestFinished(async () => {
    service.signal('SIGKILL')
    await service.ended
  })
  await waitFor(async () => (await lockWaiters(pool)) > 0)
  // Its statement ends after two seconds.
  await waitFor(async () => (await lockWaiters(pool)) === 0)
  await lock.commit()
  expect(await service.origin).toMatch(/^http/)
})

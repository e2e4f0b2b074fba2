import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { isUnavailable } from '../../../prisma/connection/availability.ts'
import { openClient } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { useDatabase } from '../../support/service/database.ts'

const { poolConfig } = useDatabase()

const echo = statement<{ text: string }, [text: string]>('test_echo', 'SELECT $1::text AS text')
const endBackend = statement<object, []>('test_end_backend', 'SELECT pg_terminate_backend(pg_backend_pid()) FROM gate')

test('if a backend ends, its statement and those behind it fail; statements before, elsewhere and afterwards succeed', async () => {
  // Half of the pool is shared: one connection.
  const { pool, prisma, close } = openClient({ ...poolConfig, max: 2 })
  onTestFinished(close)
  await echo(pool, 'connected')
  // The backend ends when all statements are sent and the first is answered. Otherwise, a failed write could discard its answer.
  const gate = new pg.Client(poolConfig)
  await gate.connect()
  await gate.query('CREATE TABLE gate AS SELECT 1')
  await gate.query('BEGIN; LOCK TABLE gate')
  const [before, ...failing] = [echo(pool, 'before'), endBackend(pool), echo(pool, 'behind')]
  const failed = Promise.allSettled(failing)
  expect([await before, await prisma.team.count()]).toEqual([[{ text: 'before' }], 0])
  await gate.query('COMMIT')
  await gate.end()
  for (const result of await failed) expect(result.status === 'rejected' && isUnavailable(result.reason)).toBe(true)
  expect(await Promise.all([echo(pool, 'a'), echo(pool, 'b')])).toEqual([[{ text: 'a' }], [{ text: 'b' }]])
})

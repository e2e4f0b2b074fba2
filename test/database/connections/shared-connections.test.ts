import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { statement } from '../../../prisma/statement/statement.ts'
import { useDatabaseClients } from '../../support/postgres/database-clients.ts'

const { open } = useDatabaseClients()

const echo = statement<{ text: string }, [text: string]>('test_echo', 'SELECT $1::text AS text')
const slow = statement<{ number: number }, [seconds: number, number: number]>('test_slow', 'SELECT $2::int AS number FROM pg_sleep($1)')

describe('statements on shared connections', () => {
  test('do not count the time behind slow statements as silence of the server, and avoid their connections', async () => {
    // Each of the two shared connections executes three slow statements in turn: together they take longer than the timeout.
    const seconds = 1
    const { pool } = open(4, { query_timeout: 1000 * seconds * 2.5 })
    const slowOnes = Promise.all(Array.from({ length: 6 }, (_, number) => slow(pool, seconds, number)))
    await delay(100)
    const first = await Promise.race([slowOnes, echo(pool, 'quick')])
    expect(first).toEqual([{ text: 'quick' }])
    expect(await slowOnes).toEqual(Array.from({ length: 6 }, (_, number) => [{ number }]))
  })

  test('avoid a connection that has not answered for some milliseconds, even if it has the fewest statements', async () => {
    // Two shared connections, of which the first exists, so that the slow statement is sent at once.
    const { pool } = open(4)
    await echo(pool, 'connect')
    const slowOne = slow(pool, 1, 0)
    await delay(5)
    const texts = Array.from({ length: 10 }, (_, index) => `${index}`)
    const first = await Promise.race([slowOne, Promise.all(texts.map((each) => echo(pool, each)))])
    expect(first).toEqual(texts.map((each) => [{ text: each }]))
    expect(await slowOne).toEqual([{ number: 0 }])
  })

  test.each([
    ['update', 'SELECT number FROM locked FOR UPDATE'],
    ['no_key_update', 'SELECT number FROM locked FOR NO KEY UPDATE'],
    ['share', 'SELECT number FROM locked for share'],
    ['key_share', 'SELECT number FROM locked FOR KEY SHARE'],
    ['advisory', 'SELECT 1 AS number FROM pg_advisory_xact_lock(4711)'],
    ['write', 'UPDATE locked SET number = 1 RETURNING number'],
    ['write_in_with', 'WITH changed AS (UPDATE locked SET number = 1 RETURNING number) SELECT number FROM changed'],
  ])('are not delayed by a statement that waits for a lock: %s', async (name, text) => {
    // A connection for the lock, one for the write, and a shared one.
    const { pool } = open(3)
    const lock = await pool.connect()
    await lock.query('DROP TABLE IF EXISTS locked; CREATE TABLE locked AS SELECT 1 AS number')
    await lock.query('BEGIN; SELECT * FROM locked FOR UPDATE; SELECT pg_advisory_xact_lock(4711)')
    const waiting = statement<{ number: number }, []>(`test_waiting_for_${name}`, text)(pool)
    const echoed = await Promise.all(Array.from({ length: 20 }, (_, index) => echo(pool, `${index}`)))
    expect(echoed.map(([row]) => row?.text)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`))
    await lock.query('COMMIT')
    expect(await waiting).toEqual([{ number: 1 }])
    lock.release()
  })
})

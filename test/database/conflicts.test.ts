import { beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { useService } from '../support/service/service.ts'

const { database } = useService()
const { pool } = database

beforeAll(async () => {
  await pool.query('CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL)')
})

/** A barrier that opens when both transactions have arrived. It stays open for their repetitions. */
function barrier() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = 2
  return () => {
    if (--missing === 0) resolve()
    return promise
  }
}

/** PostgreSQL looks for deadlocks after a second by default. */
const detectSoon = `SELECT set_config('deadlock_timeout', '20ms', true)`

const increment = (transaction: Transaction, id: number) =>
  transaction.query({ text: 'UPDATE counters SET value = value + 1 WHERE id = $1', values: [id] })
const values = async () => (await pool.query('SELECT value FROM counters ORDER BY id')).rows.map(({ value }) => value)

async function reset(): Promise<void> {
  await pool.query('TRUNCATE counters')
  await pool.query('INSERT INTO counters VALUES (1, 0), (2, 0)')
}

describe('two transactions that conflict', () => {
  test('are both committed, each once, if PostgreSQL ends a deadlock', async () => {
    await reset()
    const bothHaveOne = barrier()
    let runs = 0
    const lockInOrder = (first: number, second: number) =>
      inTransaction(database, async (transaction) => {
        runs++
        await transaction.query({ text: detectSoon })
        await increment(transaction, first)
        await bothHaveOne()
        await increment(transaction, second)
      })
    await Promise.all([lockInOrder(1, 2), lockInOrder(2, 1)])
    expect([runs, await values()]).toEqual([3, [2, 2]])
  })

  test('are both committed, each once, if they cannot be serialized', async () => {
    await reset()
    const bothHaveRead = barrier()
    let runs = 0
    const addSum = (id: number) =>
      inTransaction(database, async (transaction) => {
        runs++
        await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE' })
        const { rows } = await transaction.query({ text: 'SELECT sum(value)::int + 1 AS next FROM counters' })
        await bothHaveRead()
        transaction.defer(transaction.query({ text: 'UPDATE counters SET value = $1 WHERE id = $2', values: [rows[0].next, id] }))
      })
    await Promise.all([addSum(1), addSum(2)])
    // One after the other, whichever was the first.
    expect(runs).toBe(3)
    expect(await values()).toEqual(expect.arrayContaining([1, 2]))
  })
})

describe('a transaction that always conflicts', () => {
  test('fails after three attempts', async () => {
    let runs = 0
    const failed = inTransaction(database, async (transaction) => {
      runs++
      await transaction.query({ text: `DO $$ BEGIN RAISE EXCEPTION 'always' USING ERRCODE = '40P01'; END $$` })
    })
    await expect(failed).rejects.toThrow('always')
    expect(runs).toBe(3)
  })

  test('is not repeated after another error', async () => {
    let runs = 0
    const failed = inTransaction(database, async (transaction) => {
      runs++
      await transaction.query({ text: 'SELECT 1/0' })
    })
    await expect(failed).rejects.toThrow('division by zero')
    expect(runs).toBe(1)
  })
})

describe('a statement outside of a transaction', () => {
  test('is repeated after a deadlock', async () => {
    await reset()
    // Locks one row after the other, so that two of them in opposite orders meet between.
    await pool.query(`CREATE FUNCTION increment_both(first int, second int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
      ${detectSoon.replace('SELECT', 'PERFORM')};
      UPDATE counters SET value = value + 1 WHERE id = first; PERFORM pg_sleep(0.2);
      UPDATE counters SET value = value + 1 WHERE id = second; END $$`)
    const incrementBoth = statement<object, [number, number]>(
      'test_increment_both',
      'WITH done AS MATERIALIZED (SELECT increment_both($1, $2)) SELECT count(*) FROM done',
    )
    await Promise.all([incrementBoth(pool, 1, 2), incrementBoth(pool, 2, 1)])
    expect(await values()).toEqual([2, 2])
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import { createUser } from '../support/data/team.ts'
import { useService } from '../support/service/service.ts'

const { database } = useService()
const { prisma, pool } = database
let userId: string
beforeAll(async () => {
  userId = (await createUser(database)).id
})

const nameOfUser = statement<{ name: string }, [id: string]>('test_name_of_user', 'SELECT name FROM users WHERE id = $1')
const readName = (transaction: Transaction) => nameOfUser(transaction, userId)
const divideByZero = statement<object, []>('test_divide_by_zero', 'SELECT 1/0')

const nameOf = async () => (await prisma.user.findUniqueOrThrow({ where: { id: userId } })).name
const openTransactions = async () => {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  )
  return rowCount
}

describe('a transaction', () => {
  test('commits deferred and awaited statements together, in the order in which they were sent', async () => {
    await inTransaction(database, async (transaction) => {
      transaction.defer(updateRows(transaction, 'users', { id: userId }, { name: 'first' }))
      const name = (await readName(transaction))[0]?.name
      expect([name, await nameOf()]).toEqual(['first', 'Ada'])
      await updateRows(transaction, 'users', { id: userId }, { name: `${name} and second` })
    })
    expect([await nameOf(), await openTransactions()]).toEqual(['first and second', 0])
  })

  test('without a statement does not begin', async () => {
    expect(await inTransaction(database, async () => 1)).toBe(1)
    expect(await openTransactions()).toBe(0)
  })

  test.each<[string, Parameters<typeof inTransaction<unknown>>[1], string]>([
    ['if its work throws', () => Promise.reject(new Error('no')), 'no'],
    [
      'if a deferred statement fails',
      async (transaction) => transaction.defer(transaction.query({ text: 'SELECT 1/0' })),
      'division by zero',
    ],
    [
      'if its work ignored the failure of a statement',
      (transaction) => transaction.query({ text: 'SELECT 1/0' }).catch(() => {}),
      'rolled back',
    ],
    [
      'with the error of the first statement that failed, not of one that followed it',
      (transaction) => {
        const first = async () => {
          await insertRow(transaction, 'users', { id: userId })
          return null
        }
        return Promise.all([first(), transaction.query({ text: 'SELECT 1' })])
      },
      'violates not-null constraint',
    ],
    [
      'with the error of a deferred statement, if another followed it',
      async (transaction) => {
        transaction.defer(transaction.query({ text: 'SELECT 1/0' }))
        await readName(transaction)
      },
      'division by zero',
    ],
    ['if a prepared statement fails', (transaction) => divideByZero(transaction), 'division by zero'],
  ])('rolls back %s', async (_, fail, message) => {
    const before = await nameOf()
    const failed = inTransaction(database, async (transaction) => {
      await updateRows(transaction, 'users', { id: userId }, { name: 'never' })
      transaction.defer(updateRows(transaction, 'users', { id: userId }, { name: 'never' }))
      await fail(transaction)
    })
    await expect(failed).rejects.toThrow(message)
    expect([await nameOf(), await openTransactions()]).toEqual([before, 0])
  })

  test('refuses statements of work that goes on after the transaction has ended', async () => {
    const ended = Promise.withResolvers<void>()
    const late: Promise<unknown>[] = []
    const failed = inTransaction(database, async (transaction) => {
      await transaction.query({ text: 'SELECT 1' })
      const write = () => updateRows(transaction, 'users', { id: userId }, { name: 'late' })
      late.push(
        ended.promise.then(write),
        ended.promise.then(() => readName(transaction)),
      )
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    const before = await nameOf()
    ended.resolve()
    await expect(Promise.allSettled(late)).resolves.toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect([await nameOf(), await openTransactions()]).toEqual([before, 0])
  })

  test('takes and returns one connection each, also when more run than the pool has', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`)
    await Promise.all(
      names.map((name) =>
        inTransaction(database, async (transaction) => {
          await readName(transaction)
          transaction.defer(updateRows(transaction, 'users', { id: userId }, { name }))
        }),
      ),
    )
    expect(names).toContain(await nameOf())
    expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0])
  })
})

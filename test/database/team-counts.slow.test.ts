import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { differingCounts, expectExactCounts } from '../support/data/kept-counts.ts'
import { lockWaiters } from '../support/processes/locks.ts'
import { usePool } from '../support/service/database.ts'
import { fuzzing } from '../support/service/full.ts'

// Random transactions wait for each other's locks, so the time limits of the service do not apply here.
const pool = usePool({ statement_timeout: 0, query_timeout: 0 })
const teams = Array.from({ length: 3 }, () => randomUUID())
const users = Array.from({ length: 40 }, () => randomUUID())

const addTeams = `INSERT INTO teams (id, slug, name) SELECT id, id::text, 'Team' FROM unnest($1::uuid[]) id ON CONFLICT DO NOTHING`
const addUsers = `INSERT INTO users (id, email, name) SELECT id, id || '@example.com', 'User' FROM unnest($1::uuid[]) id ON CONFLICT DO NOTHING`
const addMembers = `INSERT INTO members (team_id, user_id, role) SELECT $1, id, 'member' FROM unnest($2::uuid[]) id ON CONFLICT DO NOTHING`
const addInvoices = `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, invoice_date)
  SELECT $1, gen_random_uuid(), $2::"Application", 'open', 'eur', 1, now() FROM generate_series(1, $3)`

beforeAll(async () => {
  await pool.query(addTeams, [teams])
  await pool.query(addUsers, [users])
})

type Step = [text: string, values?: unknown[]]
const team = fc.constantFrom(...teams)
const someUsers = fc.subarray(users, { maxLength: 12 })
const application = fc.constantFrom('deploy', 'flow', null)
const few = fc.integer({ min: 0, max: 6 })
const someInvoices = 'id IN (SELECT id FROM invoices WHERE team_id = $1 ORDER BY id LIMIT $2)'

/** A statement that changes a list, or the end of a transaction. */
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.tuple(team, someUsers).map((values) => [addMembers, values]),
  fc
    .tuple(team, someUsers)
    .map((values) => [addMembers.replace('DO NOTHING', `(team_id, user_id) DO UPDATE SET role = 'billing'`), values]),
  fc.tuple(team, someUsers).map((values) => ['DELETE FROM members WHERE team_id = $1 AND user_id = ANY ($2)', values]),
  fc.tuple(team, someUsers, team).map((values) => ['UPDATE members SET team_id = $3 WHERE team_id = $1 AND user_id = ANY ($2)', values]),
  fc.tuple(someUsers).map((values) => ['DELETE FROM users WHERE id = ANY ($1)', values]),
  fc.tuple(team).map((values) => ['DELETE FROM teams WHERE id = $1', values]),
  fc.constant([addTeams, [teams]]),
  fc.constant([addUsers, [users]]),
  fc.tuple(team, application, few).map((values) => [addInvoices, values]),
  fc.tuple(team, few, application).map((values) => [`UPDATE invoices SET application = $3::"Application" WHERE ${someInvoices}`, values]),
  fc.tuple(team, few, team).map((values) => [`UPDATE invoices SET team_id = $3 WHERE ${someInvoices}`, values]),
  fc.tuple(team, few).map((values) => [`DELETE FROM invoices WHERE ${someInvoices}`, values]),
  fc.constant(['TRUNCATE members']),
  fc.constant(['TRUNCATE teams CASCADE']),
  fc.constant(['SAVEPOINT s']),
  fc.constant(['ROLLBACK TO SAVEPOINT s']),
  fc.constantFrom<Step>(['COMMIT'], ['COMMIT'], ['ROLLBACK']),
)

/** Executes the steps in transactions. After an error, such as a duplicate key or a deadlock, it goes on in a new one. */
async function execute(steps: readonly Step[]): Promise<void> {
  const session = await pool.connect()
  const attempt = <T>(work: Promise<T>) => work.catch(() => session.query('ROLLBACK').then(() => undefined))
  try {
    await session.query(`SET deadlock_timeout = '10ms'; BEGIN`)
    for (const [text, values] of steps) {
      await attempt(session.query(text, values))
      // Comparing locks all tables, which can deadlock with a TRUNCATE.
      if (/^(COMMIT|ROLLBACK)$/.test(text)) expect((await attempt(differingCounts(session))) ?? []).toEqual([])
      await session.query('BEGIN')
    }
    await session.query('COMMIT')
  } finally {
    session.release(true)
  }
}

describe('the kept counts', () => {
  test('equal the plain counts in every snapshot, whatever several transactions change, commit and roll back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 25 }), { minLength: 1, maxLength: 4 }), async (sessions) => {
        await pool.query(addTeams, [teams])
        await pool.query(addUsers, [users])
        await Promise.all(sessions.map(execute))
        await expectExactCounts(pool)
      }),
      fuzzing({ short: 12, full: 100 }),
    )
  })

  test('let transactions that change the same teams in opposite orders continue without waiting', async () => {
    await pool.query(addTeams, [teams])
    await pool.query(addUsers, [users])
    await pool.query('DELETE FROM members')
    const sessions = [await pool.connect(), await pool.connect(), await pool.connect()]
    for (const session of sessions) await session.query(`BEGIN; SET LOCAL lock_timeout = '1s'`)
    for (const [n, session] of sessions.entries()) await session.query(addMembers, [teams[n], users.slice(n * 3, n * 3 + 3)])
    for (const [n, session] of sessions.entries()) await session.query(addMembers, [teams[(n + 1) % 3], users.slice(n * 3, n * 3 + 3)])
    expect(await lockWaiters(pool)).toBe(0)
    for (const [n, session] of sessions.entries()) await session.query(n === 1 ? 'ROLLBACK' : 'COMMIT')
    for (const session of sessions) session.release()
    await expectExactCounts(pool)
  })

  test('contain nothing of a transaction whose connection was terminated', async () => {
    const before = await expectExactCounts(pool)
    const session = await pool.connect()
    session.on('error', () => {})
    await session.query('BEGIN')
    await session.query(addInvoices, [teams[0], 'deploy', 100])
    await session.query('DELETE FROM members')
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const ended = new Promise((resolve) => session.once('end', resolve))
    await pool.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    await ended
    session.release(true)
    expect(await expectExactCounts(pool)).toBe(before)
  })

  test('of a team use as many rows as it had writers at the same time, and none after the team is deleted', async () => {
    const id = randomUUID()
    await pool.query('DELETE FROM teams')
    await pool.query(addTeams, [[id]])
    for (let round = 0; round < 5; round++) for (const user of users) await pool.query(addMembers, [id, [user]])
    const countRows = async () => (await pool.query('SELECT FROM team_counts')).rowCount
    expect(await countRows()).toBe(1)
    await pool.query('DELETE FROM teams WHERE id = $1', [id])
    expect(await countRows()).toBe(0)
  })
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectExactPersons } from '../support/data/kept-persons.ts'
import { lockWaiters } from '../support/processes/locks.ts'
import { usePool } from '../support/service/database.ts'
import { fuzzing } from '../support/service/full.ts'

// Random transactions wait for each other's locks, so the time limits of the service do not apply here.
const pool = usePool({ statement_timeout: 0, query_timeout: 0 })
const teams = Array.from({ length: 2 }, () => randomUUID())
const users = Array.from({ length: 8 }, () => randomUUID())

const addUsers = `INSERT INTO users (id, email, name) SELECT id, id || '@example.com', 'User' FROM unnest($1::uuid[]) id ON CONFLICT DO NOTHING`
const addMembers = `INSERT INTO members (team_id, user_id, role) SELECT $1, id, 'member' FROM unnest($2::uuid[]) id ON CONFLICT DO NOTHING`
const rename = 'UPDATE users SET name = $2 WHERE id = ANY ($1)'

beforeAll(async () => {
  await pool.query(`INSERT INTO teams (id, slug, name) SELECT id, id::text, 'Team' FROM unnest($1::uuid[]) id`, [teams])
})

type Step = [text: string, values?: unknown[]]
const team = fc.constantFrom(...teams)
const someUsers = fc.subarray(users, { maxLength: 4 })
const name = fc.constantFrom('Ada', 'ADA', 'Émile', 'Ben Okafor')

/** A statement that changes members or users, or the end of a transaction. */
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.tuple(team, someUsers).map((values) => [addMembers, values]),
  fc.tuple(team, someUsers).map((values) => ['DELETE FROM members WHERE team_id = $1 AND user_id = ANY ($2)', values]),
  fc.tuple(someUsers, name).map((values) => [rename, values]),
  fc
    .tuple(someUsers, name)
    .map((values) => [`UPDATE users SET email = gen_random_uuid() || '@example.com', name = $2 WHERE id = ANY ($1)`, values]),
  fc.tuple(someUsers).map((values) => [`UPDATE members SET role = 'billing' WHERE user_id = ANY ($1)`, values]),
  fc.tuple(someUsers).map((values) => [`UPDATE members SET person = 'somebody else' WHERE user_id = ANY ($1)`, values]),
  fc.tuple(someUsers).map((values) => ['DELETE FROM users WHERE id = ANY ($1)', values]),
  fc.constant([addUsers, [users]]),
  fc.constantFrom<Step>(['COMMIT'], ['COMMIT'], ['ROLLBACK']),
)

/** Executes the steps in transactions. After an error, such as a deadlock, it goes on in a new one. */
async function execute(steps: readonly Step[]): Promise<void> {
  const session = await pool.connect()
  try {
    await session.query(`SET deadlock_timeout = '10ms'; BEGIN`)
    for (const [text, values] of steps) {
      await session.query(text, values).catch(() => session.query('ROLLBACK'))
      if (/^(COMMIT|ROLLBACK)$/.test(text)) await expectExactPersons(session)
      await session.query('BEGIN')
    }
    await session.query('COMMIT')
  } finally {
    session.release(true)
  }
}

describe('the kept names and addresses of members', () => {
  const adding: Step = [addMembers, [teams[0], [users[0]]]]
  const start = async () => {
    await pool.query(addUsers, [users])
    await pool.query('DELETE FROM members')
  }

  test('are those of the users in every snapshot, whatever several transactions change, commit and roll back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 25 }), { minLength: 1, maxLength: 4 }), async (sessions) => {
        await pool.query(addUsers, [users])
        await Promise.all(sessions.map(execute))
        await expectExactPersons(pool)
      }),
      fuzzing({ short: 4, full: 150 }),
    )
  })

  test.each<[string, Step, Step]>([
    ['is added while a transaction renames the user', [rename, [[users[0]], 'New Name']], adding],
    ['exists in a transaction while another one renames the user', adding, [rename, [[users[0]], 'Newer Name']]],
  ])('are new if a member %s', async (_, firstStep, secondStep) => {
    await start()
    const [first, second] = [await pool.connect(), await pool.connect()]
    await first.query('BEGIN')
    await first.query(...firstStep)
    const waiting = second.query(...secondStep)
    await expect.poll(() => lockWaiters(pool)).toBe(1)
    await first.query('COMMIT')
    await waiting
    for (const session of [first, second]) session.release()
    const { rows } = await pool.query('SELECT person FROM members')
    expect(rows).toEqual([{ person: expect.stringMatching(/^new(er)? name\n/) }])
    await expectExactPersons(pool)
  })

  test('equal those of the user, whatever a statement writes, and change with the name and the address', async () => {
    await start()
    await pool.query(...adding)
    const personAfter = async (text: string) => {
      await pool.query(text)
      return (await pool.query('SELECT person FROM members')).rows.map(({ person }) => person)
    }
    const renamed = `UPDATE users SET name = 'Ada L', email = 'ada@example.com' WHERE id = '${users[0]}'`
    expect(await personAfter(renamed)).toEqual(['ada l\nada@example.com'])
    expect(await personAfter(`UPDATE members SET person = 'somebody else'`)).toEqual(['ada l\nada@example.com'])
    const moved = `UPDATE users SET email = 'lovelace@example.com' WHERE id = '${users[0]}'`
    expect(await personAfter(moved)).toEqual(['ada l\nlovelace@example.com'])
  })

  test('are refused with the user if that does not exist', async () => {
    const missing = pool.query(addMembers, [teams[0], [randomUUID()]])
    await expect(missing).rejects.toMatchObject({ code: '23503', constraint: 'members_user_id_fkey' })
  })

  test('do not wait for other changes of the user', async () => {
    await start()
    const [first, second] = [await pool.connect(), await pool.connect()]
    await first.query('BEGIN')
    await first.query('UPDATE users SET totp_last_step = 1 WHERE id = $1', [users[0]])
    await second.query(`SET lock_timeout = '5s'`)
    await second.query(...adding)
    await first.query('COMMIT')
    for (const session of [first, second]) session.release(true)
    await expectExactPersons(pool)
  })
})

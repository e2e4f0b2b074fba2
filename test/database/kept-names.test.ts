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
const addTokens = `INSERT INTO access_tokens (kind, name, hash, team_id, created_by_id, scopes)
  SELECT 'team', 'CI', sha256(gen_random_uuid()::text::bytea), $1, id, '{}' FROM unnest($2::uuid[]) id`
const addGrants = `INSERT INTO oauth_grants (user_id, oauth_client_id, team_id, scopes, expires_at)
  SELECT u, c.id, $1, '{}', now() FROM unnest($2::uuid[]) u, oauth_clients c ON CONFLICT DO NOTHING`
const rename = 'UPDATE users SET name = $2 WHERE id = ANY ($1)'

beforeAll(async () => {
  await pool.query(`INSERT INTO teams (id, slug, name) SELECT id, id::text, 'Team' FROM unnest($1::uuid[]) id`, [teams])
  await pool.query(
    `INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes)
     VALUES ('portal', 'Portal', '{}', false, '{}', '{}', '{}')`,
  )
})

type Step = [text: string, values?: unknown[]]
const team = fc.constantFrom(...teams)
const someUsers = fc.subarray(users, { maxLength: 4 })
const name = fc.constantFrom('Ada', 'ADA', 'Émile', 'Ben Okafor')

/** A statement that changes members, tokens, grants or users, or the end of a transaction. */
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.tuple(team, someUsers).map((values) => [addMembers, values]),
  fc.tuple(team, someUsers).map((values) => [addTokens, values]),
  fc.tuple(fc.option(team), someUsers).map((values) => [addGrants, values]),
  fc
    .tuple(someUsers, fc.constantFrom(...users))
    .map((values) => ['UPDATE access_tokens SET created_by_id = $2 WHERE created_by_id = ANY ($1)', values]),
  fc.tuple(someUsers, fc.option(team)).map((values) => ['UPDATE oauth_grants SET team_id = $2 WHERE user_id = ANY ($1)', values]),
  fc.tuple(team, someUsers).map((values) => ['DELETE FROM members WHERE team_id = $1 AND user_id = ANY ($2)', values]),
  fc.tuple(someUsers, name).map((values) => [rename, values]),
  fc
    .tuple(someUsers, name)
    .map((values) => [`UPDATE users SET email = gen_random_uuid() || '@example.com', name = $2 WHERE id = ANY ($1)`, values]),
  fc.tuple(someUsers).map((values) => [`UPDATE members SET role = 'billing' WHERE user_id = ANY ($1)`, values]),
  fc
    .tuple(someUsers, fc.constantFrom('members', 'access_tokens', 'oauth_grants'))
    .map(([ids, table]) => [
      `UPDATE ${table} SET person = 'somebody else' WHERE ${table === 'access_tokens' ? 'created_by_id' : 'user_id'} = ANY ($1)`,
      [ids],
    ]),
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

describe('the kept names and addresses of members, team tokens and grants', () => {
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

  const additions = [
    ['members', addMembers],
    ['access_tokens', addTokens],
    ['oauth_grants', addGrants],
  ] as const
  const empty = () => pool.query('DELETE FROM members; DELETE FROM access_tokens; DELETE FROM oauth_grants')

  describe.each(additions)('in %s', (table, add) => {
    const adding = [add, [teams[0], [users[0]]]] as const
    test.each([
      ['is added while a transaction renames the user', [rename, [[users[0]], 'New Name']], adding],
      ['exists in a transaction while another one renames the user', adding, [rename, [[users[0]], 'Newer Name']]],
    ] as const)('are new if a row %s', async (_, [firstText, firstValues], [secondText, secondValues]) => {
      await pool.query(addUsers, [users])
      await empty()
      const [first, second] = [await pool.connect(), await pool.connect()]
      await first.query('BEGIN')
      await first.query(firstText, [...firstValues])
      const waiting = second.query(secondText, [...secondValues])
      await expect.poll(() => lockWaiters(pool)).toBe(1)
      await first.query('COMMIT')
      await waiting
      for (const session of [first, second]) session.release()
      const { rows } = await pool.query(`SELECT person FROM ${table}`)
      expect(rows).toEqual([{ person: expect.stringMatching(/^new(er)? name\n/) }])
      await expectExactPersons(pool)
    })

    test('equal those of the user, whatever a statement writes, and change with the name and the address', async () => {
      await pool.query(addUsers, [users])
      await empty()
      await pool.query(...spread(adding))
      const personAfter = async (text: string) => {
        await pool.query(text)
        return (await pool.query(`SELECT person FROM ${table}`)).rows.map(({ person }) => person)
      }
      expect(await personAfter(`UPDATE users SET name = 'Ada L', email = 'ada@example.com' WHERE id = '${users[0]}'`)).toEqual([
        'ada l\nada@example.com',
      ])
      expect(await personAfter(`UPDATE ${table} SET person = 'somebody else'`)).toEqual(['ada l\nada@example.com'])
      expect(await personAfter(`UPDATE users SET email = 'lovelace@example.com' WHERE id = '${users[0]}'`)).toEqual([
        'ada l\nlovelace@example.com',
      ])
    })

    test('are refused with the user if that does not exist', async () => {
      const missing = pool.query(add, [teams[0], [randomUUID()]])
      const column = table === 'access_tokens' ? 'created_by_id' : 'user_id'
      await expect(missing).rejects.toMatchObject({ code: '23503', constraint: `${table}_${column}_fkey` })
    })
  })

  test('are removed from a token whose creator is deleted', async () => {
    await pool.query(addUsers, [users])
    await empty()
    await pool.query(addTokens, [teams[0], [users[0]]])
    await pool.query('DELETE FROM users WHERE id = $1', [users[0]])
    expect((await pool.query('SELECT created_by_id, person FROM access_tokens')).rows).toEqual([{ created_by_id: null, person: null }])
  })

  test('are absent from personal tokens and from grants without a team, whatever a statement writes', async () => {
    await pool.query(addUsers, [users])
    await empty()
    await pool.query(
      `INSERT INTO access_tokens (kind, name, hash, user_id, created_by_id, scopes, expires_at, person)
       VALUES ('personal', 'CI', sha256(''), $1, $1, '{}', now(), 'somebody')`,
      [users[0]],
    )
    await pool.query(addGrants, [null, [users[0]]])
    await pool.query(`UPDATE oauth_grants SET person = 'somebody'`)
    await pool.query(rename, [[users[0]], 'Newest Name'])
    const { rows } = await pool.query('SELECT person FROM access_tokens UNION ALL SELECT person FROM oauth_grants')
    expect(rows).toEqual([{ person: null }, { person: null }])
  })

  test('do not wait for other changes of the user', async () => {
    await pool.query(addUsers, [users])
    await empty()
    const [first, second] = [await pool.connect(), await pool.connect()]
    await first.query('BEGIN')
    await first.query('UPDATE users SET totp_last_step = 1 WHERE id = $1', [users[0]])
    await second.query(`SET lock_timeout = '5s'`)
    await second.query(addMembers, [teams[0], [users[0]]])
    await first.query('COMMIT')
    for (const session of [first, second]) session.release(true)
    await expectExactPersons(pool)
  })
})

const spread = ([text, values]: readonly [string, readonly unknown[]]): [string, unknown[]] => [text, [...values]]

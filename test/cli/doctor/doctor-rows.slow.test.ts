import { beforeAll, expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

// More teams and users than a statement of a check reads at once, and more wrong rows than doctor prints.
const [teams, users] = [2500, 20_500]

const cli = useCli()
const { pool } = cli

beforeAll(async () => {
  await pool.query(`INSERT INTO teams (slug, name) SELECT 'team-' || lpad(n::text, 4, '0'), 'Team' FROM generate_series(1, ${teams}) n;
    INSERT INTO users (email, name) SELECT n || '@example.com', 'User' FROM generate_series(1, ${users}) n;
    INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'member' FROM teams t, users u WHERE t.slug = 'team-0001'`)
})

interface Problem {
  problem: string
  rows: { count: number; first: string[] }
}

async function resultOf(name: string, ...args: string[]): Promise<{ state: string; problems: Problem[] } | undefined> {
  const { data }: { data: { check: string; state: string; problems: Problem[] }[] } = JSON.parse(
    (await cli.run('doctor', '--json', ...args)).stdout,
  )
  return data.find(({ check }) => check === name)
}

test('doctor prints the first ten wrong counts of all teams, and how many more there are', async () => {
  await pool.query(`INSERT INTO team_counts (team_id, list, key, count) SELECT id, 'members', '', 1 FROM teams;
    INSERT INTO team_counts (team_id, list, key, count) VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'members', '', 1)`)
  const problems = [
    {
      problem: `${teams + 1} kept numbers differ from the rows`,
      action: 'run doctor --repair',
      rows: {
        count: teams + 1,
        first: Array.from({ length: 10 }, () => expect.stringMatching(/^members of team team-\d+: \d+ counted, \d+ exist$/)),
      },
    },
  ]
  expect(await resultOf('counts')).toMatchObject({ state: 'wrong', problems })
  const { stdout } = await cli.run('doctor')
  const lines = stdout.split('\n').filter((line) => line.startsWith('counts '))
  expect([lines.length, lines.at(-1)]).toEqual([12, expect.stringMatching(new RegExp(`^counts +wrong +and ${teams - 9} more +–$`))])
  expect(await resultOf('counts', '--repair')).toMatchObject({ state: 'repaired', problems })
  expect(await resultOf('counts')).toMatchObject({ state: 'ok', problems: [] })
})

test('doctor prints the first ten wrong names of all users, and how many there are', async () => {
  await pool.query(
    `ALTER TABLE users DISABLE TRIGGER users_renamed; UPDATE users SET name = 'Renamed'; ALTER TABLE users ENABLE TRIGGER users_renamed`,
  )
  const first = Array.from({ length: 10 }, () => expect.stringMatching(/^member \d+@example\.com of team team-0001$/))
  const problems = [
    { problem: `${users} members have a kept name or email address that differs from the user's`, rows: { count: users, first } },
  ]
  expect(await resultOf('names')).toMatchObject({ state: 'wrong', problems })
  expect(await resultOf('names', '--repair')).toMatchObject({ state: 'repaired', problems })
  expect(await resultOf('names')).toMatchObject({ state: 'ok', problems: [] })
})

test('doctor prints ten changes of the schema, and how many more there are', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tgname AS name FROM pg_trigger WHERE tgrelid = 'invoices'::regclass AND NOT tgisinternal UNION ALL
     SELECT tgname FROM pg_trigger WHERE tgrelid IN ('members'::regclass, 'users'::regclass) AND NOT tgisinternal`,
  )
  expect(rows.length).toBeGreaterThan(11)
  await pool.query(
    'ALTER TABLE invoices DISABLE TRIGGER USER; ALTER TABLE members DISABLE TRIGGER USER; ALTER TABLE users DISABLE TRIGGER USER',
  )
  const { problems = [] } = (await resultOf('schema')) ?? {}
  expect([problems.length, problems.at(-1)]).toEqual([
    11,
    { problem: `and ${rows.length - 10} more`, action: 'correct the first ones, and run doctor again' },
  ])
})

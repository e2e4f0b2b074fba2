import { beforeAll, describe, expect, test } from 'vitest'
import { expectExactPersons } from '../support/data/kept-persons.ts'
import { differingCounts, expectExactCounts } from '../support/data/kept-counts.ts'
import { everything } from '../support/data/records.ts'
import { holdLocks } from '../support/processes/locks.ts'
import { useCli } from '../support/service/cli.ts'

const cli = useCli()
const { pool } = cli
const ok = (check: string) => ({ check, state: 'ok', problems: [] })

describe('doctor, on a team of two members and one invoice', () => {
  let slug: string
  beforeAll(async () => {
    const { records, ...imported } = everything()
    slug = imported.slug
    await cli.import(records)
  })

  const falsify = () =>
    pool.query(`UPDATE team_counts SET count = count + 2 WHERE list = 'members';
      INSERT INTO team_counts (team_id, list, key, count) VALUES ('00000000-0000-4000-8000-000000000001', 'invoices', 'flow', 5)`)
  const problems = () => [
    'invoices of team 00000000-0000-4000-8000-000000000001 for flow: 5 counted, 0 exist',
    `members of team ${slug}: 4 counted, 2 exist`,
  ]

  test('finds nothing wrong after an import', async () => {
    expect(await expectExactCounts(pool)).toBe(3)
    expect(await cli.answer('doctor')).toEqual({ data: ['counts', 'names', 'search'].map(ok) })
    const stdout = 'CHECK   STATE  PROBLEM\ncounts  ok     –\nnames   ok     –\nsearch  ok     –\n'
    expect(await cli.run('doctor')).toEqual({ status: 0, stdout, stderr: '' })
  })

  test('prints wrong counts and exits with 1 without changing them', async () => {
    await falsify()
    const { status, stdout } = await cli.run('doctor', '--json')
    const data = [{ check: 'counts', state: 'wrong', problems: problems() }, ok('names'), ok('search')]
    expect({ status, ...JSON.parse(stdout) }).toEqual({ status: 1, data })
    const text = await cli.run('doctor')
    expect(text).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`counts  wrong  members of team ${slug}: 4 counted, 2 exist\n`),
    })
  })

  test('corrects them with --repair once, although two run while a transaction of the service is open', async () => {
    const { session, commit } = await holdLocks(pool, `INSERT INTO users (email, name) VALUES ('guest@example.com', 'Guest')`)
    await session.query(
      `INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'member' FROM teams t, users u WHERE u.email = 'guest@example.com'`,
    )
    const results = await Promise.all([cli.answer('doctor', '--repair'), cli.answer('doctor', '--repair')])
    expect(new Set(results.map(({ data }) => data[0].state))).toEqual(new Set(['ok', 'repaired']))
    expect(results.flatMap(({ data }) => data[0].problems)).toEqual(problems())
    await commit()
    expect(await differingCounts(pool)).toEqual([])
    expect(await cli.answer('doctor')).toEqual({ data: ['counts', 'names', 'search'].map(ok) })
  })

  test('finds members whose kept name is not that of the user, and corrects it with --repair', async () => {
    await pool.query(`ALTER TABLE users DISABLE TRIGGER users_renamed; UPDATE users SET name = 'Renamed' WHERE email = 'guest@example.com';
      ALTER TABLE users ENABLE TRIGGER users_renamed`)
    const problems = [`member guest@example.com of team ${slug}: another name or address is kept`]
    const { data } = await cli.answer('doctor', '--repair')
    expect(data).toEqual([ok('counts'), { check: 'names', state: 'repaired', problems }, ok('search')])
    await expectExactPersons(pool)
  })

  test('finds that the indexes of searches are missing, and creates them with --repair', async () => {
    await pool.query('DROP EXTENSION pg_trgm CASCADE')
    const problems = ['members', 'invoices', 'users', 'teams', 'access_tokens'].map(
      (table) => `the index ${table}_search is missing: it needs the modules pg_trgm and btree_gin of PostgreSQL`,
    )
    const { data } = await cli.answer('doctor', '--repair')
    expect(data).toEqual([ok('counts'), ok('names'), { check: 'search', state: 'repaired', problems }])
    expect(await cli.answer('doctor')).toEqual({ data: ['counts', 'names', 'search'].map(ok) })
  })
})

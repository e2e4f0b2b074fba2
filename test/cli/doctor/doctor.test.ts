import { beforeAll, describe, expect, test } from 'vitest'
import { checks } from '../../../src/cli/checks/index.ts'
import { expectExactPersons } from '../../support/data/kept-persons.ts'
import { differingCounts, expectExactCounts } from '../../support/data/kept-counts.ts'
import { everything } from '../../support/data/records/everything.ts'
import { holdLocks } from '../../support/processes/locks.ts'
import { useCli } from '../../support/service/cli.ts'

const cli = useCli()
const { pool } = cli
const ok = (check: string) => ({ check, state: 'ok', problems: [], warnings: [] })

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
  const found = (state: string) => ({
    check: 'counts',
    state,
    problems: [
      repairable(
        '2 kept numbers differ from the rows',
        'invoices of team 00000000-0000-4000-8000-000000000001 for flow: 5 counted, 0 exist',
        `members of team ${slug}: 4 counted, 2 exist`,
      ),
    ],
    warnings: [],
  })
  const repairable = (problem: string, ...first: string[]) => ({
    problem,
    action: 'run doctor --repair',
    rows: { count: first.length, first },
  })
  const doctor = async (...args: string[]): Promise<{ check: string; state: string; problems: object[] }[]> =>
    JSON.parse((await cli.run('doctor', ...args, '--json')).stdout).data
  const resultOf = async (name: string, ...args: string[]) => (await doctor(...args)).find(({ check }) => check === name)

  test('finds nothing wrong after an import', async () => {
    expect(await expectExactCounts(pool)).toBe(3)
    // The database of the tests is without fsync, and the imported client is at a host that does not exist.
    const others = new Set(['postgresql', 'outgoing'])
    const names = checks.map(({ name }) => name).filter((name) => !others.has(name))
    expect((await doctor()).filter(({ check }) => !others.has(check))).toEqual(names.map(ok))
    const { stdout, stderr } = await cli.run('doctor')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^CHECK +STATE +PROBLEM +WHAT TO DO\nsettings +ok +– +–\n/)
  })

  test('prints wrong counts and exits with 1 without changing them', async () => {
    await falsify()
    expect(await resultOf('counts')).toEqual(found('wrong'))
    const text = await cli.run('doctor')
    expect(text).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        `counts +wrong +2 kept numbers differ from the rows +run doctor --repair\n(counts .*\n)counts +wrong +members of team ${slug}: 4 counted, 2 exist +–\n`,
      ),
    })
  })

  test('corrects them with --repair once, although two run while a transaction of the service is open', async () => {
    const { session, commit } = await holdLocks(pool, `INSERT INTO users (email, name) VALUES ('guest@example.com', 'Guest')`)
    await session.query(
      `INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'member' FROM teams t, users u WHERE u.email = 'guest@example.com'`,
    )
    const results = await Promise.all([resultOf('counts', '--repair'), resultOf('counts', '--repair')])
    expect(results).toContainEqual(found('repaired'))
    expect(results).toContainEqual(ok('counts'))
    await commit()
    expect(await differingCounts(pool)).toEqual([])
    expect(await resultOf('counts')).toEqual(ok('counts'))
  })

  test('finds members whose kept name is not that of the user, and corrects it with --repair', async () => {
    await pool.query(`ALTER TABLE users DISABLE TRIGGER users_renamed; UPDATE users SET name = 'Renamed' WHERE email = 'guest@example.com';
      ALTER TABLE users ENABLE TRIGGER users_renamed`)
    const problem = "1 member has a kept name or email address that differs from the user's"
    const problems = [repairable(problem, `member guest@example.com of team ${slug}`)]
    expect(await resultOf('names', '--repair')).toEqual({ check: 'names', state: 'repaired', problems, warnings: [] })
    await expectExactPersons(pool)
  })
})

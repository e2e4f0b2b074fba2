import { beforeAll, describe, expect, test } from 'vitest'
import { checks } from '../../../src/cli/checks/index.ts'
import { expectExactPersons } from '../../support/data/kept-persons.ts'
import { differingCounts, expectExactCounts } from '../../support/data/kept-counts.ts'
import { everything } from '../../support/data/records.ts'
import { holdLocks } from '../../support/processes/locks.ts'
import { useCli } from '../../support/service/cli.ts'

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
  const problems = () =>
    [
      'invoices of team 00000000-0000-4000-8000-000000000001 for flow: 5 counted, 0 exist',
      `members of team ${slug}: 4 counted, 2 exist`,
    ].map(repairable)
  const repairable = (problem: string) => ({ problem, action: 'run doctor --repair' })
  const doctor = async (...args: string[]): Promise<{ check: string; state: string; problems: object[] }[]> =>
    JSON.parse((await cli.run('doctor', ...args, '--json')).stdout).data
  const resultOf = async (name: string, ...args: string[]) => (await doctor(...args)).find(({ check }) => check === name)

  test('finds nothing wrong after an import', async () => {
    expect(await expectExactCounts(pool)).toBe(3)
    // The database of the tests is without fsync.
    const names = checks.map(({ name }) => name).filter((name) => name !== 'postgresql')
    expect((await doctor()).filter(({ check }) => check !== 'postgresql')).toEqual(names.map(ok))
    const { stdout, stderr } = await cli.run('doctor')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^CHECK +STATE +PROBLEM +WHAT TO DO\nsettings +ok +– +–\n/)
  })

  test('prints wrong counts and exits with 1 without changing them', async () => {
    await falsify()
    expect(await resultOf('counts')).toEqual({ check: 'counts', state: 'wrong', problems: problems() })
    const text = await cli.run('doctor')
    expect(text).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(`counts +wrong +members of team ${slug}: 4 counted, 2 exist +run doctor --repair\n`),
    })
  })

  test('corrects them with --repair once, although two run while a transaction of the service is open', async () => {
    const { session, commit } = await holdLocks(pool, `INSERT INTO users (email, name) VALUES ('guest@example.com', 'Guest')`)
    await session.query(
      `INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'member' FROM teams t, users u WHERE u.email = 'guest@example.com'`,
    )
    const results = await Promise.all([resultOf('counts', '--repair'), resultOf('counts', '--repair')])
    expect(results).toContainEqual({ check: 'counts', state: 'repaired', problems: problems() })
    expect(results).toContainEqual(ok('counts'))
    await commit()
    expect(await differingCounts(pool)).toEqual([])
    expect(await resultOf('counts')).toEqual(ok('counts'))
  })

  test('finds members, tokens and grants whose kept name is not that of the user, and corrects it with --repair', async () => {
    await pool.query(`UPDATE access_tokens SET created_by_id = u.id FROM users u WHERE u.email = 'guest@example.com';
      INSERT INTO oauth_grants (user_id, oauth_client_id, team_id, scopes, expires_at)
        SELECT u.id, c.id, t.id, '{}', now() FROM users u, oauth_clients c, teams t WHERE u.email = 'guest@example.com';
      ALTER TABLE users DISABLE TRIGGER users_renamed; UPDATE users SET name = 'Renamed' WHERE email = 'guest@example.com';
      ALTER TABLE users ENABLE TRIGGER users_renamed;
      ALTER TABLE access_tokens DISABLE TRIGGER access_tokens_person; UPDATE access_tokens SET person = 'none' WHERE team_id IS NULL;
      ALTER TABLE access_tokens ENABLE TRIGGER access_tokens_person`)
    const problems = [
      ...['grant of', 'member', 'token created by'].map((row) => `${row} guest@example.com of team ${slug}`),
      'token created by guest@example.com of no team',
    ].map((row) => repairable(`${row}: the kept name or address differs from the user's`))
    expect(await resultOf('names', '--repair')).toEqual({ check: 'names', state: 'repaired', problems })
    await expectExactPersons(pool)
  })

  test('finds grants whose kept name is not that of the client, and corrects it with --repair', async () => {
    await pool.query(`INSERT INTO oauth_grants (user_id, oauth_client_id, scopes, expires_at)
        SELECT u.id, c.id, '{}', now() FROM users u, (SELECT * FROM oauth_clients ORDER BY client_id LIMIT 1) c WHERE u.email = 'guest@example.com';
      ALTER TABLE oauth_clients DISABLE TRIGGER oauth_clients_renamed; UPDATE oauth_clients SET name = name || ' Renamed';
      ALTER TABLE oauth_clients ENABLE TRIGGER oauth_clients_renamed`)
    const wrong = `FROM oauth_grants g JOIN oauth_clients c ON c.id = g.oauth_client_id WHERE g.sort_name <> lower(c.name)`
    const { rows } = await pool.query(`SELECT c.client_id AS id, count(*)::int AS grants ${wrong} GROUP BY 1 ORDER BY 1`)
    expect(rows).not.toEqual([])
    const problems = rows.map(({ id, grants }) =>
      repairable(`client ${id}: the name kept with ${grants} of its grants differs from the client's`),
    )
    expect(await resultOf('names', '--repair')).toEqual({ check: 'names', state: 'repaired', problems })
    expect((await pool.query(`SELECT ${wrong}`)).rows).toEqual([])
  })

  test('finds that the indexes of searches are missing, and creates them with --repair', async () => {
    await pool.query('DROP EXTENSION pg_trgm CASCADE')
    const problems = [
      'members',
      'invitations',
      'invoices',
      'users',
      'teams',
      'access_tokens',
      'access_tokens_person',
      'oauth_grants_person',
      'audit_entries',
    ].map((name) => ({
      problem: `the index ${name}_search is missing: it needs the modules pg_trgm and btree_gin of PostgreSQL`,
      action: 'install the modules, and then run doctor --repair',
    }))
    expect(await resultOf('search', '--repair')).toEqual({ check: 'search', state: 'repaired', problems })
    expect(await resultOf('search')).toEqual(ok('search'))
  })
})

import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { runCli, useCli } from '../../support/service/cli.ts'
import { all, summary } from '../../support/data/records/counts.ts'
import { everything } from '../../support/data/records/everything.ts'
import type { Counts } from '../../support/data/records/counts.ts'

const cli = useCli()
const { pool } = cli

async function imported(records: readonly object[]) {
  const { status, stdout, stderr } = await cli.import(records, '--json')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('an import whose lines depend on their order', () => {
  test('uses the last line of a key, and lets a record change a row that an earlier line created', async () => {
    const { slug, owner, member, records } = everything()
    const again = [
      { type: 'team', slug, name: 'Second' },
      { type: 'member', team: slug, user: member, role: 'owner' },
      { type: 'member', team: slug, user: owner, role: 'billing' },
      { type: 'team', slug, name: 'Third' },
    ]
    const counts: Counts = { ...all(1), team: [3, 1, 2, 0], member: [4, 2, 2, 0] }
    expect(await imported([...records, ...again])).toEqual(summary(counts))
    const { rows } = await pool.query(
      'SELECT t.name, u.email, m.role FROM teams t JOIN members m ON m.team_id = t.id JOIN users u ON u.id = m.user_id WHERE slug = $1 ORDER BY m.role',
      [slug],
    )
    expect(rows).toEqual([
      { name: 'Third', email: member, role: 'owner' },
      { name: 'Third', email: owner, role: 'billing' },
    ])
  })

  test('refuses a reference to a later line like a reference to a missing team', async () => {
    const { slug, records } = everything()
    const team = records.filter(({ type }) => type === 'team')
    const app = { type: 'app', team: slug, id: 'flow', name: 'Flow' }
    expect(await cli.import([app, ...team])).toEqual({
      status: 1,
      stdout: '',
      stderr: `line 1: app flow of ${slug}: team: There is no team ${slug}.\n1 wrong line, nothing was written\n`,
    })
  })
})

describe('an import that would leave a team without an owner', () => {
  test('writes nothing; with --partial it writes all lines except the ones that demote the last owner', async () => {
    const { slug, owner, records } = everything()
    await imported(records)
    const demote = [
      { type: 'member', team: slug, user: owner, role: 'member', accessible_app_ids: [] },
      { type: 'team', slug, name: 'Renamed' },
    ]
    const error = `line 1: member ${owner} of ${slug}: role: The team ${slug} must keep at least one owner.\n1 wrong line, `
    expect(await cli.import(demote)).toEqual({ status: 1, stdout: '', stderr: `${error}nothing was written\n` })
    const state = async () =>
      (
        await pool.query(
          `SELECT t.name, m.role, m.all_applications, m.joined_at FROM teams t JOIN members m ON m.team_id = t.id
           JOIN users u ON u.id = m.user_id WHERE slug = $1 AND u.email = $2`,
          [slug, owner],
        )
      ).rows
    const row = { role: 'owner', all_applications: true, joined_at: new Date('2020-03-01T00:00:00Z') }
    expect(await state()).toEqual([{ name: 'Acme', ...row }])
    const { status, stdout, stderr } = await cli.import(demote, '--partial', '--json')
    expect({ status, stdout: JSON.parse(stdout) }).toEqual({ status: 1, stdout: summary({ team: [1, 0, 1, 0] }, 1) })
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'wrong_lines',
        message: '1 wrong line, the others were written',
        wrong: 1,
        lines: [
          { line: 1, subject: `member ${owner} of ${slug}`, member: 'role', message: `The team ${slug} must keep at least one owner.` },
        ],
      },
    })
    expect(await state()).toEqual([{ name: 'Renamed', ...row }])
  })

  test('writes a team again whose only owner is disabled, and refuses to demote this owner', async () => {
    const { slug, owner, records } = everything()
    await imported(records)
    await pool.query('UPDATE users SET disabled_at = now() WHERE email = $1', [owner])
    const rewritten = { type: 'member', team: slug, user: owner, role: 'owner', accessible_app_ids: [] }
    expect(await imported([rewritten])).toEqual(summary({ member: [1, 0, 1, 0] }))
    const { status, stderr } = await cli.import([{ ...rewritten, role: 'member' }], '--partial')
    expect([status, stderr]).toEqual([1, expect.stringContaining(`role: The team ${slug} must keep at least one owner.`)])
  })
})

describe('a revoked token', () => {
  test('stays revoked when it is imported again', async () => {
    const { token, records } = everything()
    await imported(records)
    const { rows } = await pool.query('UPDATE access_tokens SET revoked_at = now() WHERE hash = $1 RETURNING id, revoked_at', [
      sha256(token),
    ])
    const record = records.find(({ kind }) => kind === 'team')
    expect(await imported([Object.assign({}, record, { name: 'again' })])).toEqual(summary({ token: [1, 0, 1, 0] }))
    const { rows: after } = await pool.query('SELECT id, revoked_at FROM access_tokens WHERE hash = $1', [sha256(token)])
    expect(after).toEqual(rows)
  })
})

test('import of a missing file ends with exit status 1', async () => {
  expect(await runCli(cli.env, ['import', '/nowhere/file'])).toEqual({
    status: 1,
    stdout: '',
    stderr: '/nowhere/file: there is no such file or folder\n',
  })
})

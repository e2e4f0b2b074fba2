import { expect, test } from 'vitest'
import { runCli, useCli } from '../../support/service/cli.ts'

const { env, pool } = useCli()

test('an import refuses names that show nothing or take several lines, and so do commands', async () => {
  const records = [
    { type: 'user', email: 'ada@example.com', name: '\u200b\u2060' },
    { type: 'team', slug: 'acme', name: '\u3164' },
    { type: 'app', team: 'acme', id: 'flow', name: 'a\nb' },
    { type: 'token', kind: 'team', team: 'acme', name: 'a\u2028b', scopes: ['teams'], sha256: 'a'.repeat(64) },
  ]
  const { status, stderr } = await runCli(env, ['import', '-'], records.map((record) => JSON.stringify(record)).join('\n'))
  const visible = 'name: The name field must contain a visible character.'
  const oneLine = 'name: The name field must not contain line breaks or control characters.'
  expect({ status, lines: stderr.trimEnd().split('\n') }).toEqual({
    status: 1,
    lines: [
      `line 1: user ada@example.com: ${visible}`,
      `line 2: team acme: ${visible}`,
      `line 3: app flow of acme: ${oneLine}`,
      `line 4: token a\ufffdb: ${oneLine}`,
      '4 wrong lines, nothing was written',
    ],
  })
  const commands = [
    ['team', 'create', '--slug', 'acme', '--name', '\u3164'],
    ['user', 'create', '--email', 'ada@example.com', '--name', 'a\nb'],
  ]
  const outcomes = await Promise.all(commands.map((command) => runCli(env, command)))
  expect(outcomes.map((each) => each.status === 0)).toEqual([false, false])
  expect(outcomes.map((each) => each.stderr)).toEqual([
    expect.stringContaining('must contain a visible character'),
    expect.stringContaining('must not contain line breaks or control characters'),
  ])
  const { rows } = await pool.query('SELECT (SELECT count(*) FROM teams) + (SELECT count(*) FROM users) AS n')
  expect(rows).toEqual([{ n: '0' }])
})

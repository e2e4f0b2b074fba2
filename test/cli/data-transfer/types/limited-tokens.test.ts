import { expect, test } from 'vitest'
import { runCli, useCli } from '../../../support/service/cli.ts'

const { env } = useCli()
const token = { type: 'token', kind: 'team', team: 'acme', name: 'ci', scopes: ['teams'], sha256: 'a'.repeat(64) }
const personal = { ...token, kind: 'personal', team: undefined, user: 'ada@example.com', expires_at: '2026-01-01T00:00:00Z' }
const known = [
  { type: 'user', email: 'ada@example.com', name: 'Ada' },
  { type: 'team', slug: 'acme', name: 'Acme' },
]

test.each([
  [{ ...token, limited_to_teams: ['acme'] }, 'The limited to teams field does not go with a team token.'],
  [{ ...personal, limited_to_teams: ['acme', 'gone'] }, 'There is no team gone.'],
  [{ ...personal, limited_to_teams: [] }, 'The limited to teams field must have at least 1 items.'],
])('import refuses %j, so that a limited token never becomes an unlimited one', async (record, message) => {
  const lines = [...known, record].map((each) => `${JSON.stringify(each)}\n`).join('')
  const { status, stderr } = await runCli(env, ['import', '-'], lines)
  expect([status, stderr]).toEqual([1, `line 3: token ci: limited_to_teams: ${message}\n1 wrong line, nothing was written\n`])
})

test('import refuses a team token with the staff scope, which only a user can have', async () => {
  const lines = [...known, { ...token, scopes: ['teams', 'acct:staff:read'] }].map((each) => `${JSON.stringify(each)}\n`).join('')
  const { status, stderr } = await runCli(env, ['import', '-'], lines)
  const message = 'The scopes field has a scope that a team token cannot have.'
  expect([status, stderr]).toEqual([1, `line 3: token ci: scopes: ${message}\n1 wrong line, nothing was written\n`])
})

test('imports the token of a directory, which the command line can create', async () => {
  const imported = [...known, { ...token, scopes: ['acct:team:scim'] }].map((each) => `${JSON.stringify(each)}\n`).join('')
  expect(await runCli(env, ['import', '-'], imported)).toMatchObject({ status: 0 })
  const { stdout } = await runCli(env, ['export'])
  expect(stdout).toContain('"scopes":["acct:team:scim"]')
  const again = await runCli(env, ['import', '-'], stdout)
  expect([again.status, (await runCli(env, ['export'])).stdout]).toEqual([0, stdout])
})

test('import refuses a personal token with the scope of directories', async () => {
  const lines = [...known, { ...personal, scopes: ['acct:team:scim'] }].map((each) => `${JSON.stringify(each)}\n`).join('')
  const { status, stderr } = await runCli(env, ['import', '-'], lines)
  expect([status, stderr.includes('has a scope that a personal token cannot have')]).toEqual([1, true])
})

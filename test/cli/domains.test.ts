import { expect, test } from 'vitest'
import { useCli } from '../support/service/cli.ts'

const { answer, run, pool } = useCli()

test('domain list shows the domains of a team, with their records and states', async () => {
  await answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
  await pool.query(`INSERT INTO team_domains (team_id, domain, value, verified_at, checked_at, missing_since)
    SELECT t.id, d.domain, 'team-account-verification=x', d.verified_at, d.verified_at, d.missing_since
    FROM teams t, (VALUES ('a.example', NULL, NULL), ('b.example', now(), NULL), ('c.example', now(), now())) d (domain, verified_at, missing_since)`)
  const { data } = await answer('domain', 'list', '--team', 'acme')
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    domain: 'a.example',
    record_name: '_team-account.a.example',
    record_value: 'team-account-verification=x',
    created_at: expect.any(String),
    verified_at: null,
    checked_at: null,
    missing_since: null,
  })
  const { stdout } = await run('domain', 'list', '--team', 'acme')
  expect(stdout).toMatch(/^a\.example +not verified/m)
  expect(stdout).toMatch(/^b\.example +verified  /m)
  expect(stdout).toMatch(/^c\.example +verified, record missing/m)
})

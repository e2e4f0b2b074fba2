import { expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

const { answer, run, pool } = useCli()

test('domain list shows the domains of a team, with their records and states', async () => {
  await answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
  await pool.query(`INSERT INTO team_domains (team_id, domain, value, verified_at, checked_at, missing_since)
    SELECT t.id, d.domain, 'team-account-verification=x', d.verified_at, d.verified_at, d.missing_since
    FROM teams t, (VALUES ('a.example', NULL, NULL), ('b.example', now(), NULL), ('c.example', now(), now())) d (domain, verified_at, missing_since)`)
  const { data } = await answer('domain', 'list', '--team', 'acme')
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    team: 'acme',
    domain: 'a.example',
    record_name: '_team-account.a.example',
    record_value: 'team-account-verification=x',
    created_at: expect.any(String),
    verified_at: null,
    checked_at: null,
    missing_since: null,
  })
  const { stdout } = await run('domain', 'list', '--team', 'acme')
  expect(stdout).toMatch(/^a\.example +not verified +acme/m)
  expect(stdout).toMatch(/^b\.example +verified +acme/m)
  expect(stdout).toMatch(/^c\.example +verified, record missing +acme/m)
})

test('domain list without a team shows those of all teams', async () => {
  await answer('team', 'create', '--slug', 'zoo', '--name', 'Zoo')
  await pool.query(`INSERT INTO team_domains (team_id, domain, value) SELECT id, 'zoo.example', 'x' FROM teams WHERE slug = 'zoo'`)
  const { data } = await answer('domain', 'list')
  expect(data.map(({ team, domain }: { team: string; domain: string }) => [team, domain])).toEqual([
    ['acme', 'a.example'],
    ['acme', 'b.example'],
    ['acme', 'c.example'],
    ['zoo', 'zoo.example'],
  ])
  expect((await run('domain', 'list')).stdout).toMatch(/^zoo\.example +not verified +zoo/m)
})

import { beforeAll, expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

const { run, answer, pool } = useCli()
let provider: string

beforeAll(async () => {
  await answer('team', 'create', '--slug', 'shop', '--name', 'Shop')
  const { rows } = await pool.query(
    `INSERT INTO identity_providers (team_id, kind, name, issuer, client_id, tested_at)
     SELECT id, 'oidc', 'Okta', 'https://okta.example', '1', now() FROM teams RETURNING id`,
  )
  provider = rows[0].id
  await pool.query(`INSERT INTO team_domains (team_id, domain, value, verified_at) SELECT id, 'shop.example', 'value', now() FROM teams`)
})

test('team require-sign-in turns the requirement on and off, and names what is wrong with its options', async () => {
  const command = ['team', 'require-sign-in', 'shop'] as const
  const requirement = { provider: { id: provider, name: 'Okta' }, from: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }
  expect(await answer(...command, '--provider', provider)).toEqual({ slug: 'shop', sign_in_requirement: requirement })
  expect((await run(...command, '--provider', provider, '--grace-days', '7')).stdout).toContain('requires sign-in through Okta from')
  // Without days, the time stays.
  const { sign_in_requirement: present } = await answer(...command, '--provider', provider)
  expect(Date.parse(present.from) - Date.now()).toBeGreaterThan(6 * 86_400_000)
  expect((await run(...command, '--off')).stdout).toBe('Team shop does not require sign-in.\n')
  expect(await answer(...command, '--off')).toEqual({ slug: 'shop', sign_in_requirement: null })
  const { rows } = await pool.query(`SELECT actor_kind FROM audit_entries WHERE action = 'setSignInRequirement'`)
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ actor_kind: 'operator' })))
})

test('team require-sign-in names what is wrong', async () => {
  const command = ['team', 'require-sign-in', 'shop'] as const
  expect((await run(...command)).stderr).toContain('one of --provider and --off is required')
  expect((await run(...command, '--off', '--provider', provider)).stderr).toContain('one of --provider and --off is required')
  expect((await run(...command, '--off', '--grace-days', '7')).stderr).toContain('--grace-days needs --provider')
  expect((await run(...command, '--provider', provider, '--grace-days', 'many')).stderr).toContain(
    '--grace-days must be a whole number; it is many',
  )
  expect((await run(...command, '--provider', 'nothing')).status).not.toBe(0)
  expect(await run('team', 'require-sign-in', 'nothing', '--off')).toMatchObject({ status: 1, stderr: 'unknown team nothing\n' })
})

import { beforeAll, expect, test } from 'vitest'
import { createIssuer } from '../../support/identity-providers/issuer.ts'
import { runCli, useCli } from '../../support/service/cli.ts'

const cli = useCli()
const { answer, run, pool } = cli
let id: string

beforeAll(async () => {
  await answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
  const { rows } = await pool.query(
    `INSERT INTO identity_providers (team_id, kind, name, issuer, client_id) SELECT id, 'oidc', 'Northwind', $1, '1' FROM teams RETURNING id`,
    [await createIssuer()],
  )
  id = rows[0].id
})

test('provider list shows the providers of a team with their states, provider disable and enable change them', async () => {
  const { data } = await answer('provider', 'list', '--team', 'acme')
  expect(data).toMatchObject([
    { id, kind: 'oidc', name: 'Northwind', linked_users: 0, tested_at: null, disabled_at: null, is_required: false },
  ])
  expect(await answer('provider', 'disable', id)).toEqual({ ...data[0], disabled_at: expect.any(String) })
  expect((await run('provider', 'list', '--team', 'acme')).stdout).toMatch(/^Northwind +disabled +\S{36} +0 +– /m)
  expect((await run('provider', 'enable', id)).stdout.trim()).toBe(`Enabled identity provider ${id}.`)
  const { rows } = await pool.query(`SELECT action, actor_kind FROM audit_entries WHERE subject = $1 ORDER BY at`, [id])
  expect(rows).toEqual(['disable', 'enable'].map((verb) => ({ action: `${verb}IdentityProvider`, actor_kind: 'operator' })))
})

test('provider disable warns that the team requires sign-in through the provider', async () => {
  await pool.query('UPDATE teams SET sign_in_provider_id = $1, sign_in_required_at = now()', [id])
  expect((await run('provider', 'disable', id)).stdout).toContain('only owners with a passkey have access')
  expect((await run('provider', 'list', '--team', 'acme')).stdout).toContain('disabled, required')
  await run('provider', 'enable', id)
  await pool.query('UPDATE teams SET sign_in_provider_id = NULL, sign_in_required_at = NULL')
})

test('doctor reads the metadata of each enabled OpenID provider', async () => {
  const settings = { ...cli.env, OUTGOING_ALLOWED_HOSTS: '127.0.0.1' }
  const result = async () => {
    const { data } = JSON.parse((await runCli(settings, ['doctor', '--json'])).stdout)
    return data.find(({ check }: { check: string }) => check === 'providers')
  }
  const ok = { check: 'providers', state: 'ok', problems: [], warnings: [] }
  expect(await result()).toEqual(ok)
  await pool.query(`UPDATE identity_providers SET issuer = 'http://127.0.0.1:9'`)
  const line = new RegExp(
    `^nobody can sign in through the identity provider ${id} of the team acme. The metadata .* The connection was refused.$`,
  )
  expect(await result()).toEqual({
    check: 'providers',
    state: 'warning',
    problems: [],
    warnings: [
      {
        problem: '1 identity provider cannot be used',
        action: expect.stringContaining('tell the owners'),
        rows: { count: 1, first: [expect.stringMatching(line)] },
      },
    ],
  })
  await pool.query('UPDATE identity_providers SET disabled_at = now()')
  expect(await result()).toEqual(ok)
})

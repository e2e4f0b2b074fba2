import { beforeAll, describe, expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

// Reviews of clients of teams: docs/decisions/clients.md#reviews.

const { pool, run, answer } = useCli()

beforeAll(() => pool.query(`INSERT INTO teams (slug, name) VALUES ('makers', 'Makers')`))

/** A client of the team in this state. */
async function register(clientId: string, state: string, proposedChanges: object | null = null): Promise<void> {
  await pool.query(
    `INSERT INTO oauth_clients (client_id, name, confidential, redirect_uris, grant_types, required_scopes, optional_scopes, team, owner_team_id, state, proposed_changes)
     SELECT $1, $1, false, '{https://app.example/cb}', '{authorization_code}', '{openid}', '{}', 'none', id, $2::"ClientState", $3 FROM teams WHERE slug = 'makers'`,
    [clientId, state, proposedChanges],
  )
}

describe('the review of clients', () => {
  test('lists the clients to review, shows one with its version, and approves it', async () => {
    await register('planner', 'submitted')
    await register('roadmap', 'listed', { name: 'Roads' })
    await register('sketch', 'draft')
    const listed = await answer('client', 'list', '--state', 'submitted')
    expect(listed.data.map(({ client_id, state, owner_team }: any) => [client_id, state, owner_team])).toEqual([
      ['planner', 'submitted', 'makers'],
      ['roadmap', 'listed', 'makers'],
    ])
    const { stdout } = await run('client', 'list', '--state', 'submitted')
    expect(stdout).toMatch(/roadmap +roadmap +listed, changes in review +makers/)
    const shown = await answer('client', 'show', 'roadmap')
    expect(shown.proposed_changes).toEqual([{ member: 'name', live: ['roadmap'], proposed: ['Roads'] }])
    expect(await answer('client', 'approve', 'roadmap', '--if-version', shown.version)).toMatchObject({
      name: 'Roads',
      proposed_changes: [],
    })
    expect((await run('client', 'approve', 'planner')).stdout).toBe('Approved client planner (planner).\n')
    expect(await run('client', 'approve', 'planner')).toMatchObject({ status: 1, stderr: 'the client has nothing to review\n' })
    expect((await answer('client', 'list', '--state', 'submitted')).data).toEqual([])
  })

  test('requires a reason to reject a client', async () => {
    await register('tracker', 'submitted')
    const missing = await run('client', 'reject', 'tracker')
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('--reason')])
    const rejected = await answer('client', 'reject', 'tracker', '--reason', 'Says it is ours')
    expect(rejected).toMatchObject({ state: 'rejected', rejection_reason: 'Says it is ours' })
  })

  test('rejects the changes to a listed client, which stays listed', async () => {
    await register('ledger', 'listed', { name: 'Bank' })
    expect((await run('client', 'reject', 'ledger', '--reason', 'No')).stdout).toBe('Rejected the changes to client ledger (ledger).\n')
    expect(await answer('client', 'show', 'ledger')).toMatchObject({ state: 'listed', name: 'ledger', proposed_changes: [] })
    expect((await run('client', 'reject', 'ledger', '--reason', 'No')).stdout).toBe('Rejected client ledger (ledger).\n')
  })

  test('refuses a version that the client no longer has', async () => {
    await register('timer', 'submitted')
    const { version } = await answer('client', 'show', 'timer')
    await answer('client', 'update', 'timer', '--description', 'new')
    const { status, stderr } = await run('client', 'approve', 'timer', '--if-version', version)
    expect([status, stderr]).toEqual([1, expect.stringContaining('the client has changed since this version. Review it again')])
  })

  test.each(['draft', 'submitted', 'listed', 'rejected'])('accepts the state %s, and no other', async (state) => {
    expect((await run('client', 'list', '--state', state)).status).toBe(0)
    expect((await run('client', 'list', '--state', `${state}x`)).status).toBe(2)
  })
})

describe('client create --owner', () => {
  const create = ['client', 'create', '--owner', 'makers', '--name', 'Exporter', '--confidential', '--optional-scope', 'teams']

  test('registers a listed client of a team, which may use client_credentials', async () => {
    const created = await answer(...create, '--grant', 'client_credentials', '--team', 'optional')
    expect(created).toMatchObject({
      state: 'listed',
      owner_team: 'makers',
      grants: ['client_credentials'],
      team: 'optional',
      verified: false,
    })
    expect(created.client_secret).toMatch(/^[\w-]{43}$/)
  })

  test('refuses an unknown team, and options that are not for teams', async () => {
    expect((await run(...create.with(3, 'none'), '--grant', 'client_credentials')).status).toBe(1)
    const { status, stderr } = await run(...create, '--client-id', 'mine')
    expect([status, stderr]).toEqual([2, expect.stringContaining('--client-id and --verified are not for the client of a team')])
  })
})

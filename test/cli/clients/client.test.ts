import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { clientDefaults, clientOptions, unreviewed } from '../../support/data/records/client-members.ts'
import { useCli } from '../../support/service/cli.ts'

const { pool, run, answer } = useCli()
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const refused = (status: 1 | 2, message: string) => ({ status, stdout: '', stderr: `${message}\n` })
const usage = (command: string) => `(see: npm run -s cli -- client ${command} --help)`
const words = (line: string) => line.split(' ')
const device = 'urn:ietf:params:oauth:grant-type:device_code'

/** Returns the SHA-256 hash of each valid secret, in hex. */
async function validSecretHashes(clientId: string): Promise<string[]> {
  const { rows } = await pool.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM oauth_client_secrets s JOIN oauth_clients c ON c.id = s.oauth_client_id
     WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY s.created_at`,
    [clientId],
  )
  return rows.map(({ hash }) => hash)
}
const hash = (secret: string) => sha256(secret).toString('hex')

const defaults = {
  ...clientDefaults,
  ...unreviewed,
  redirect_uris: ['https://app.example/cb'],
  grants: ['authorization_code'],
  scopes: { required: ['openid'], optional: [] as string[] },
  team: 'none',
  created_at: instant,
  updated_at: instant,
}

describe('the client commands', () => {
  test('create a confidential client with every option, show its secret once, and record it in the audit log', async () => {
    const created = await answer(
      ...words('client create --name Dashboard --confidential --client-id dashboard'),
      ...words('--redirect-uri https://app.example/cb --redirect-uri http://127.0.0.1/cb'),
      ...words(`--grant authorization_code --grant refresh_token --grant ${device}`),
      ...words('--required-scope openid --optional-scope offline_access --optional-scope teams --team optional'),
      ...words('--refresh-replay-seconds 30 --id-token-alg RS256 --require-dpop yes --logo-uri https://app.example/logo.svg'),
      ...words('--publisher Example --verified yes --client-uri https://app.example/'),
      ...words('--policy-uri https://app.example/privacy --tos-uri https://app.example/terms'),
      ...words('--post-logout-redirect-uri https://app.example/bye --backchannel-logout-uri https://app.example/logout'),
      ...words('--require-par yes --require-key-authentication yes --jwks-uri https://app.example/keys.json'),
      '--description',
      'Shows things',
    )
    const { client_secret: secret, ...client } = created
    expect(client).toEqual({
      client_id: 'dashboard',
      name: 'Dashboard',
      description: 'Shows things',
      redirect_uris: ['https://app.example/cb', 'http://127.0.0.1/cb'],
      confidential: true,
      grants: ['authorization_code', 'refresh_token', device],
      scopes: { required: ['openid'], optional: ['offline_access', 'teams'] },
      team: 'optional',
      ...clientOptions,
      jwks: null,
      ...unreviewed,
      publisher: 'Example',
      disabled_at: null,
      created_at: instant,
      updated_at: instant,
    })
    expect([secret, await validSecretHashes('dashboard')]).toEqual([expect.stringMatching(/^[\w-]{43}$/), [hash(secret)]])
    const secrets = [{ created_at: created.created_at, expires_at: null }]
    expect(await answer('client', 'show', 'dashboard')).toEqual({ ...client, secrets })
    expect((await answer('client', 'list')).data).toContainEqual(client)
    const { stdout } = await run('client', 'show', 'dashboard')
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual(
      expect.arrayContaining([
        ['MEMBER', 'VALUE'],
        ['redirect_uris', 'https://app.example/cb'],
        ['redirect_uris', 'http://127.0.0.1/cb'],
        ['scopes.optional', 'teams'],
        ['secrets.expires_at', '–'],
      ]),
    )
    const { rows } = await pool.query(
      `SELECT actor_kind, authentication_method AS "authenticationMethod", subject, after::text FROM audit_entries WHERE action = 'createClient'`,
    )
    expect(rows).toEqual([
      { actor_kind: 'operator', authenticationMethod: 'command_line', subject: 'dashboard', after: expect.any(String) },
    ])
    for (const value of [secret, hash(secret)]) expect(rows[0].after + stdout).not.toContain(value)
  })

  test('create a client with few options: without a team, with the code grant, and with refresh if offline_access is allowed', async () => {
    const create = ['client', 'create', '--name', 'Tool \u202e[2J', '--public', '--redirect-uri', 'https://app.example/cb']
    const client = { ...defaults, client_id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'Tool \u202e[2J', confidential: false }
    expect(await answer(...create, '--required-scope', 'openid')).toEqual(client)
    expect(await answer(...create, '--required-scope', 'openid', '--optional-scope', 'offline_access')).toEqual({
      ...client,
      grants: ['authorization_code', 'refresh_token'],
      scopes: { required: ['openid'], optional: ['offline_access'] },
    })
    const { stdout } = await run(...create, '--required-scope', 'openid', '--client-id', 'tool')
    expect(stdout).toBe('Created client tool (Tool \u{fffd}[2J).\n')
    const confidential = ['--name', 'Server', '--confidential', '--redirect-uri', 'https://app.example/cb', '--required-scope', 'openid']
    const output = (await run('client', 'create', ...confidential, '--client-id', 'server')).stdout.trimEnd().split('\n')
    expect(output).toEqual(['Created client server (Server). Its secret, which is not shown again:', expect.stringMatching(/^[\w-]{43}$/)])
    expect(await validSecretHashes('server')).toEqual([hash(output[1] ?? '')])
    const rows = (await run('client', 'list')).stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(rows[0]).toEqual(['CLIENT ID', 'NAME', 'STATE', 'OWNER', 'DISABLED', 'CONFIDENTIAL', 'TEAM', 'GRANTS'])
    expect(rows).toContainEqual(['server', 'Server', 'listed', '–', '–', 'yes', 'none', 'authorization_code'])
  })

  test('is changed option by option: what is given replaces, what is given empty clears', async () => {
    const create = ['client', 'create', '--client-id', 'changes', '--name', 'Old', '--public', '--redirect-uri', 'https://app.example/cb']
    const { created_at } = await answer(...create, '--required-scope', 'openid', '--logo-uri', 'https://app.example/logo.svg')
    const update = ['client', 'update', 'changes']
    const changed = {
      ...defaults,
      client_id: 'changes',
      name: 'New',
      confidential: false,
      logo_uri: 'https://app.example/logo.svg',
      created_at,
    }
    const scopes = { required: ['openid'], optional: ['teams'] }
    expect(await answer(...update, '--name', 'New', '--optional-scope', 'teams', '--team', 'required')).toEqual({
      ...changed,
      scopes,
      team: 'required',
    })
    expect(await answer(...update, '--optional-scope', '', '--team', 'none', '--logo-uri', '')).toEqual({ ...changed, logo_uri: null })
    expect(await run(...update, '--redirect-uri', '')).toEqual(refused(2, '--redirect-uri must not be empty'))
    expect(await run(...update, '--confidential')).toEqual(refused(2, `unknown option '--confidential' ${usage('update')}`))
    expect((await run(...update, '--name', 'Newer')).stdout).toBe('Updated client changes.\n')
  })

  test('rotate a secret: the previous one stays valid for a day by default, and at most two are valid', async () => {
    const confidential = ['--name', 'Server', '--confidential', '--redirect-uri', 'https://app.example/cb', '--required-scope', 'openid']
    const { client_secret: first } = await answer('client', 'create', ...confidential, '--client-id', 'rotating')
    const rotate = ['client', 'rotate-secret', 'rotating']
    const { client_secret: second, ...shown } = await answer(...rotate)
    expect(shown).toEqual({ ...defaults, client_id: 'rotating', name: 'Server', confidential: true })
    expect(await validSecretHashes('rotating')).toEqual([hash(first), hash(second)])
    const { secrets } = await answer('client', 'show', 'rotating')
    expect(secrets.map(({ expires_at }: any) => expires_at)).toEqual([null, instant])
    expect(Math.abs(Date.parse(secrets[1].expires_at) - Date.now() - 86_400_000)).toBeLessThan(60_000)
    const { stdout } = await run(...rotate, '--overlap', '1h')
    expect(await validSecretHashes('rotating')).toEqual([hash(second), hash(stdout.trim())])
    const { client_secret: last } = await answer(...rotate, '--overlap', '0')
    expect(await validSecretHashes('rotating')).toEqual([hash(last)])
    expect(await run(...rotate, '--overlap', '31d')).toEqual(refused(2, '--overlap must be at most 30d; it is 31d'))
    expect(await run(...rotate, '--overlap', 'soon')).toEqual(
      refused(2, `--overlap must be a time such as 90d, in s, m, h, d, w or y; it is soon ${usage('rotate-secret')}`),
    )
  })

  test('disable, enable and delete a client', async () => {
    const create = ['--name', 'Brief', '--public', '--redirect-uri', 'https://app.example/cb', '--required-scope', 'openid']
    const client = await answer('client', 'create', ...create, '--client-id', 'brief')
    expect(await answer('client', 'disable', 'brief')).toEqual({ ...client, disabled_at: instant, updated_at: instant })
    expect(await run('client', 'enable', 'brief')).toEqual({ status: 0, stdout: 'Enabled client brief.\n', stderr: '' })
    expect(await answer('client', 'delete', 'brief', '--yes')).toEqual({ ...client, updated_at: instant })
    expect(await run('client', 'show', 'brief')).toEqual(refused(1, 'unknown client brief'))
  })

  const create = ['client', 'create', '--name', 'App', '--redirect-uri', 'https://app.example/cb', '--required-scope', 'openid']
  test.each([
    [create, 2, `one of --public and --confidential is required ${usage('create')}`],
    [[...create, '--public', '--confidential'], 2, `one of --public and --confidential is required ${usage('create')}`],
    [[...create, '--public', '--team', 'some'], 2, `--team must be one of none, optional, required; it is some ${usage('create')}`],
    [
      [...create, '--public', '--refresh-replay-seconds', '1m'],
      2,
      `--refresh-replay-seconds must be a whole number; it is 1m ${usage('create')}`,
    ],
  ] as const)('%j is refused with exit status %d', async (line, status, message) => {
    expect(await run(...line)).toEqual(refused(status, message))
  })
})

import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../../schema/core/sha256.ts'
import { useCli } from '../../../support/service/cli.ts'
import { clientDefaults, unreviewed } from '../../../support/data/records/client-members.ts'
import { summary } from '../../../support/data/records/counts.ts'
import { unique } from '../../../support/data/team.ts'

const cli = useCli()
const tooWeak =
  'must have 256 random bits: at least 43 characters, or 64 hexadecimal digits. Leave it out and create a secret with client rotate-secret.'
const secret = () => unique('a-secret-of-another-service-with-enough-characters')
const hash = (value: string) => sha256(value).toString('hex')
const base = {
  type: 'client',
  client_id: 'app',
  name: 'App',
  redirect_uris: ['https://app.example/cb'],
  confidential: true,
  grants: ['authorization_code'],
  scopes: { required: ['openid'], optional: [] },
  team: 'none',
}

async function imported(...records: object[]) {
  const { status, stdout, stderr } = await cli.import(records, '--json')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}
async function secretsOf(clientId: string) {
  const { rows } = await cli.pool.query(
    `SELECT encode(hash, 'hex') AS hash, expires_at FROM oauth_client_secrets s JOIN oauth_clients c ON c.id = s.oauth_client_id
     WHERE client_id = $1 ORDER BY s.hash`,
    [clientId],
  )
  return rows
}
const oneClient = (created: number, updated: number) => summary({ client: [1, created, updated, 1 - created - updated] })

describe('a client record', () => {
  test('creates a client that client show displays, without a secret until one is created', async () => {
    const client = { ...base, client_id: unique('app') }
    expect(await imported(client)).toEqual(oneClient(1, 0))
    const { type: _, ...shown } = client
    expect(await cli.answer('client', 'show', client.client_id)).toEqual({
      ...shown,
      ...clientDefaults,
      ...unreviewed,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secrets: [],
    })
    const { client_secret } = await cli.answer('client', 'rotate-secret', client.client_id)
    expect(await secretsOf(client.client_id)).toEqual([{ hash: hash(client_secret), expires_at: null }])
    expect(await imported(client)).toEqual(oneClient(0, 0))
    expect(await secretsOf(client.client_id)).toHaveLength(1)
  })

  test('sets a plain text secret, and leaves rotated secrets unchanged while that secret is valid', async () => {
    const client = { ...base, client_id: unique('app'), client_secret: secret() }
    const { client_id } = client
    expect(await imported(client)).toEqual(oneClient(1, 0))
    expect(await secretsOf(client_id)).toEqual([{ hash: hash(client.client_secret), expires_at: null }])
    await cli.answer('client', 'rotate-secret', client_id)
    expect(await imported(client)).toEqual(oneClient(0, 0))
    expect(await secretsOf(client_id)).toHaveLength(2)
    await cli.answer('client', 'rotate-secret', client_id, '--overlap', '0')
    expect(await imported(client)).toEqual(oneClient(0, 1))
    expect(await secretsOf(client_id)).toEqual([{ hash: hash(client.client_secret), expires_at: null }])
    const other = secret()
    expect(await imported({ ...client, name: 'Renamed', client_secret: other })).toEqual(oneClient(0, 1))
    expect(await secretsOf(client_id)).toEqual([{ hash: hash(other), expires_at: null }])
  })

  test('replaces all secrets by its hashes, and leaves a disabled client disabled if disabled_at is absent', async () => {
    const client = { ...base, client_id: unique('app'), disabled_at: '2026-05-05T05:05:05Z' }
    const hashes = [{ sha256: hash(secret()) }, { sha256: hash(secret()), expires_at: '2099-01-01T00:00:00Z' }]
    expect(await imported({ ...client, client_secret_hashes: hashes })).toEqual(oneClient(1, 0))
    const stored = hashes.map(({ sha256, expires_at }) => ({ hash: sha256, expires_at: expires_at ? new Date(expires_at) : null }))
    expect(await secretsOf(client.client_id)).toEqual(stored.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)))
    expect(await imported({ ...client, disabled_at: undefined, client_secret_hashes: hashes.toReversed() })).toEqual(oneClient(0, 0))
    expect(await imported({ ...client, client_secret_hashes: hashes.slice(0, 1) })).toEqual(oneClient(0, 1))
    expect(await secretsOf(client.client_id)).toEqual(stored.slice(0, 1))
    const { rows } = await cli.pool.query('SELECT disabled_at FROM oauth_clients WHERE client_id = $1', [client.client_id])
    expect(rows).toEqual([{ disabled_at: new Date('2026-05-05T05:05:05Z') }])
  })

  test('is refused if another client has its secret or if it changes whether the client is confidential', async () => {
    const [first, second] = [
      { ...base, client_id: unique('first') },
      { ...base, client_id: unique('second') },
    ]
    const [shared, sameSecret] = [secret(), secret()]
    await imported({ ...first, client_secret: shared })
    const { status, stdout, stderr } = await cli.import([
      { ...second, client_secret: shared },
      { ...second, client_id: 'third', client_secret: sameSecret },
      { ...second, client_id: 'fourth', client_secret_hashes: [{ sha256: hash(sameSecret) }] },
      { ...first, confidential: false },
    ])
    expect({ status, stdout, lines: stderr.split('\n') }).toEqual({
      status: 1,
      stdout: '',
      lines: [
        `line 1: client ${second.client_id}: client_secret: Another client has this secret.`,
        'line 3: client fourth: client_secret_hashes: Another client has this secret.',
        `line 4: client ${first.client_id}: confidential: Whether a client is confidential cannot be changed.`,
        '3 wrong lines, nothing was written',
        '',
      ],
    })
  })

  const device = 'urn:ietf:params:oauth:grant-type:device_code'
  const hashes = (...values: string[]) => values.map((value) => ({ sha256: hash(value) }))
  const wrong: [object, string][] = [
    [{ client_id: 'a/b' }, 'client_id: The client id field must be letters, digits and the characters . _ ~ -'],
    [{ redirect_uris: [] }, 'redirect_uris: The redirect uris field is required.'],
    [{ redirect_uris: ['https://app.example/cb', 'https://App.example/cb'] }, 'redirect_uris.1: The redirect uris.1 field must be as'],
    [{ redirect_uris: ['com.example.app:/cb'] }, 'redirect_uris: The redirect uris field must not have a private-use scheme'],
    [{ grants: ['implicit'] }, 'grants.0: The selected grants.0 is invalid.'],
    [{ grants: ['refresh_token'] }, 'grants: The grants field must have a grant that issues a first token, not refresh_token alone.'],
    [{ grants: undefined }, 'grants: The grants field is required.'],
    [{ scopes: { required: ['openid'] } }, 'scopes.optional: The scopes.optional field is required.'],
    [
      { scopes: { required: [], optional: ['openid'] } },
      'scopes.optional: The scopes.optional field must not have openid, which cannot be declined',
    ],
    [{ scopes: { required: ['offline_access'], optional: [] } }, 'scopes.required: The scopes.required field must not have offline_access'],
    [{ team: 'all' }, 'team: The selected team is invalid.'],
    [{ refresh_replay_seconds: 121 }, 'refresh_replay_seconds: The refresh replay seconds field must not be greater than 120.'],
    [{ post_logout_redirect_uris: ['x'] }, 'post_logout_redirect_uris.0: The post logout redirect uris.0 field must be an absolute URI.'],
    ...['short', 'hunter2hunter2hunter2', '0123456789'.repeat(8), 'ab'.repeat(40), hash('x').slice(0, 40), 'x'.repeat(42)].map(
      (weak): [object, string] => [{ client_secret: weak }, `client_secret: The client secret field ${tooWeak}`],
    ),
    [{ client_secret: 'a secret with é in it' }, 'client_secret: The client secret field must be printable ASCII.'],
    [
      { client_secret: secret(), client_secret_hashes: hashes('a') },
      'client_secret_hashes: The client secret hashes field does not go with a client secret.',
    ],
    [{ client_secret_hashes: hashes('a', 'a') }, 'client_secret_hashes: The client secret hashes field has a duplicate value.'],
    [
      { client_secret_hashes: hashes('a', 'b', 'c') },
      'client_secret_hashes: The client secret hashes field must not have more than 2 items.',
    ],
    [{ client_secret_hashes: [{ sha256: 'x' }] }, 'client_secret_hashes.0.sha256: The client secret hashes.0.sha256 field must be 64'],
    [{ confidential: false, client_secret: secret() }, 'client_secret: The client secret field does not go with a public client.'],
    [
      { confidential: false, grants: [device], redirect_uris: [], client_secret_hashes: hashes('a') },
      'client_secret_hashes: The client secret hashes field does not go with a public client.',
    ],
  ]

  test('is refused by the same rules as a registration, and errors contain no secret', async () => {
    for (const half of [wrong.slice(0, 12), wrong.slice(12)]) {
      const { status, stderr } = await cli.import(half.map(([members]) => Object.assign({}, base, members)))
      const reported = stderr.trimEnd().split('\n')
      const expected = half.map(
        ([{ client_id = 'app' }, message]: [{ client_id?: string }, string], index) => `line ${index + 1}: client ${client_id}: ${message}`,
      )
      expect(reported.map((each, index) => (each.startsWith(expected[index] ?? each) ? (expected[index] ?? each) : each))).toEqual([
        ...expected,
        `${half.length} wrong lines, nothing was written`,
      ])
      expect([status, stderr]).toEqual([1, expect.not.stringContaining('a-secret-of')])
    }
  })
})

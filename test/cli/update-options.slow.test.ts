import { beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { runCli, useCli } from '../support/service/cli.ts'

// A command that changes an object leaves everything as it is that its options do not mention.

const cli = useCli()
const env = { ...cli.env, OUTGOING_ALLOWED_HOSTS: 'hooks.example' }
const site = 'https://app.example'

/** Runs a command with `--json` and returns the parsed output. */
async function answer(...line: string[]) {
  const { status, stdout, stderr } = await runCli(env, [...line, '--json'])
  if (status !== 0) throw new Error(`${line.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

beforeAll(() => answer('team', 'create', '--slug', 'acme', '--name', 'Acme'))

interface Options {
  /** Creates an object without a default in it. Returns what the command prints about it. */
  create(): Promise<Record<string, unknown>>
  key: string
  /** A value of each option, and the members of the output that it may change. Without a value it is a flag. */
  options: Record<string, [value: string | null, ...members: string[]]>
}

let count = 0
const registration = `--confidential --grant authorization_code --grant refresh_token --required-scope openid --required-scope offline_access
  --optional-scope teams --team required --verified yes --refresh-replay-seconds 30 --id-token-alg RS256 --require-dpop yes --require-par yes
  --require-key-authentication yes --redirect-uri ${site}/cb --logo-uri ${site}/logo.svg --client-uri ${site}/ --policy-uri ${site}/privacy
  --tos-uri ${site}/terms --post-logout-redirect-uri ${site}/bye --backchannel-logout-uri ${site}/logout --jwks-uri ${site}/keys.json
  --name Planner --description Plans --publisher Example`

const updates: Record<string, Options> = {
  'client update': {
    create: () => answer('client', 'create', '--client-id', `client-${count++}`, ...registration.split(/\s+/)),
    key: 'client_id',
    options: {
      name: ['Roadmap', 'name'],
      'redirect-uri': [`${site}/other`, 'redirect_uris'],
      grant: ['authorization_code', 'grants'],
      'required-scope': ['profile', 'scopes'],
      'optional-scope': ['email', 'scopes'],
      team: ['optional', 'team'],
      description: ['Maps', 'description'],
      'refresh-replay-seconds': ['60', 'refresh_replay_seconds'],
      'logo-uri': [`${site}/other.svg`, 'logo_uri'],
      publisher: ['Company', 'publisher'],
      verified: ['no', 'verified'],
      'client-uri': [`${site}/other`, 'client_uri'],
      'policy-uri': [`${site}/other`, 'policy_uri'],
      'tos-uri': [`${site}/other`, 'tos_uri'],
      'post-logout-redirect-uri': [`${site}/other`, 'post_logout_redirect_uris'],
      'backchannel-logout-uri': [`${site}/other`, 'backchannel_logout_uri'],
      'dpop-bound-access-tokens': ['no', 'dpop_bound_access_tokens'],
      'require-dpop': ['no', 'dpop_bound_access_tokens'],
      'require-par': ['no', 'require_pushed_authorization_requests'],
      'require-key-authentication': ['no', 'require_key_authentication'],
      // A client has a file with keys, or the URL of one.
      jwks: ['', 'jwks'],
      'jwks-uri': [`${site}/other.json`, 'jwks_uri'],
      'id-token-alg': ['ES256', 'id_token_signed_response_alg'],
    },
  },
  'webhook update': {
    async create() {
      const line = ['webhook', 'create', '--team', 'acme', '--url', `https://hooks.example/${count++}`, '--types', 'team.updated']
      const created = await answer(...line, '--description', 'Note')
      return answer('webhook', 'update', created.id, '--disable')
    },
    key: 'id',
    options: {
      url: ['https://hooks.example/other', 'url'],
      description: ['Other', 'description'],
      types: ['member.joined', 'types'],
      enable: [null, 'state', 'disabled_at', 'disabled_reason'],
      disable: [null],
      from: ['present'],
    },
  },
}

test('every command that changes an object, and each of its options, is part of this test', () => {
  const expected = commands
    .filter(({ name }) => name.endsWith(' update'))
    .map(({ name, options }) => [name, Object.keys(options).toSorted()])
  expect(Object.entries(updates).map(([name, { options }]) => [name, Object.keys(options).toSorted()])).toEqual(expected)
})

describe.each(Object.entries(updates))('%s', (name, { create, key, options }) => {
  /** The members of the output that differ after the command, apart from the secret of a new client. */
  async function change(...line: string[]) {
    const before = await create()
    const after = await answer(...name.split(' '), String(before[key]), ...line)
    return Object.keys(before).filter(
      (member) =>
        !/^(?:updated_at|version|client_secret)$/.test(member) && JSON.stringify(before[member]) !== JSON.stringify(after[member]),
    )
  }

  test('without an option changes nothing', async () => {
    expect(await change()).toEqual([])
  })

  test.each(Object.entries(options))('with --%s alone changes nothing else', async (option, [value, ...members]) => {
    // `offline_access` is allowed with the grant for it only, and `--from` belongs to `--enable`.
    const more: Record<string, string[]> = {
      grant: ['--grant', 'refresh_token'],
      'required-scope': ['--required-scope', 'openid', '--required-scope', 'offline_access'],
      from: ['--enable'],
    }
    const changed = await change(`--${option}`, ...(value === null ? [] : [value]), ...(more[option] ?? []))
    const allowed = option === 'from' ? (updates[name]?.options['enable']?.slice(1) ?? []) : members
    expect(allowed).toEqual(expect.arrayContaining(changed))
  })
})

import { writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { useFolder } from '../../support/backup/backup-files.ts'
import { githubClaims, githubSuffix, json, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import type { CiIssuer } from '../../support/identities/ci-issuer.ts'
import { runCli, useCli } from '../../support/service/cli.ts'

const cli = useCli()
const { answer, run, pool } = cli
const settings = { ...cli.env, OUTGOING_ALLOWED_HOSTS: '127.0.0.1', AUTH_URL: 'https://accounts.example.com' }
const folder = useFolder()
const issuers = useCiIssuers()
let issuer: CiIssuer

beforeAll(async () => {
  await answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
  issuer = await issuers.create(githubSuffix)
})

const create = async (...args: string[]) => {
  const line = ['identity', 'create', '--team', 'acme', '--name', 'Deploys', '--scope', 'acct:team:read', ...args]
  return runCli(settings, [...line, '--json'])
}
const preset = ['--preset', 'github', '--project-id', '74', '--environment', 'production', '--branch', 'main']
const conditions = [
  { claim: 'repository_id', value: '74' },
  { claim: 'environment', value: 'production' },
  { claim: 'ref', value: 'refs/heads/main' },
  { claim: 'ref_protected', value: 'true' },
]
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('the identity commands', () => {
  test('create an identity from a preset, list and delete it', async () => {
    const created = JSON.parse((await create(...preset, '--condition', 'workflow=deploy=now')).stdout)
    const identity = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Deploys',
      issuer: 'https://token.actions.githubusercontent.com',
      conditions: [...conditions, { claim: 'workflow', value: 'deploy=now' }],
      scopes: ['acct:team:read'],
      created_at: instant,
      updated_at: instant,
      last_used_at: null,
    }
    expect(created).toEqual(identity)
    expect((await answer('identity', 'list', '--team', 'acme')).data).toEqual([identity])
    expect((await run('identity', 'list', '--team', 'acme')).stdout).toMatch(
      /^Deploys +acct:team:read +\S{36} +– +repository_id=74 environment=production .* https:/m,
    )
    expect(await answer('identity', 'delete', created.id, '--yes')).toEqual(identity)
    expect((await answer('identity', 'list', '--team', 'acme')).data).toEqual([])
  })

  test('create an identity of a self-managed GitLab', async () => {
    const self = ['--preset', 'gitlab', '--project-id', '20', '--branch', 'main', '--issuer', 'https://git.example.com']
    const created = JSON.parse((await create(...self)).stdout)
    expect([created.issuer, created.conditions.map(({ claim }: { claim: string }) => claim)]).toEqual([
      'https://git.example.com',
      ['project_id', 'ref_protected', 'ref_type', 'ref'],
    ])
  })

  test.each<[args: string[], status: number, message: string]>([
    [[], 2, 'one of --preset PRESET and --issuer URL is required'],
    [['--preset', 'github'], 2, '--preset needs --project-id NUMBER'],
    [['--issuer', 'https://ci.example.com', '--project-id', '74'], 2, '--project-id, --environment and --branch need --preset'],
    [['--issuer', 'https://ci.example.com', '--condition', 'sub'], 2, '--condition sub is not CLAIM=VALUE'],
    [['--preset', 'travis'], 2, 'travis'],
    [['--preset', 'github', '--project-id', '74'], 2, 'must have at least 2 items'],
    [['--preset', 'github', '--project-id', 'acme/app', '--environment', 'production'], 2, 'repository_id, a number'],
    [['--issuer', 'https://10.0.0.1', '--condition', 'sub=a', '--condition', 'b=c'], 2, 'must name a host on the public internet'],
    [['--issuer', 'https://ci.example.com', '--condition', 'iss=a', '--condition', 'sub=a'], 2, 'must not be iss'],
  ])('refuse %j', async (args, status, message) => {
    const refused = await create(...args)
    expect([refused.status, refused.stdout === '' ? refused.stderr : refused.stdout]).toEqual([status, expect.stringContaining(message)])
  })

  test('refuse identities that do not exist', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await run('identity', 'delete', unknown, '--yes')).stderr).toContain(`unknown identity ${unknown}`)
  })
})

describe('identity test', () => {
  async function testAssertion(changes: object) {
    const { id } = JSON.parse((await create(...preset, '--issuer', issuer.url)).stdout)
    const claims = { ...githubClaims(issuer.url, settings.AUTH_URL), ...changes }
    const file = folder('assertion')
    const assertion = `${await issuer.sign(claims)}\n`
    await writeFile(file, assertion)
    const text = await runCli(settings, ['identity', 'test', id, '--assertion', file])
    const output = await runCli(settings, ['identity', 'test', id, '--assertion', '-', '--json'], assertion)
    return { text, value: JSON.parse(output.stdout) }
  }

  test('says that an assertion would be accepted, and does not use it up', async () => {
    const { text, value } = await testAssertion({})
    expect([text.status, text.stdout, value]).toEqual([
      0,
      'The assertion would be accepted.\n',
      { accepted: true, identity_id: expect.any(String) },
    ])
    expect((await pool.query(`SELECT count(*)::int AS n FROM oidc_models`)).rows).toEqual([{ n: 0 }])
  })

  test('names the claim that differs, with both values', async () => {
    const { text, value } = await testAssertion({ environment: 'staging' })
    expect([text.status, text.stdout.split('\n')]).toEqual([
      1,
      [
        'The assertion would be refused: the claim environment does not have the expected value',
        'expected  production',
        'actual    staging',
        '',
      ],
    ])
    expect(value).toMatchObject({ accepted: false, claim: 'environment', expected: 'production', actual: 'staging' })
  })

  test.each<[changes: object, claim: string, expected: string]>([
    [{ aud: 'https://github.com/acme' }, 'aud', settings.AUTH_URL],
    [{ ref: undefined }, 'ref', 'refs/heads/main'],
    [{ event_name: 'pull_request' }, 'event_name', 'another value'],
    [{ exp: 1 }, 'exp', expect.stringMatching(/^now is \d+$/)],
  ])('explains %j', async (changes, claim, expected) => {
    expect((await testAssertion(changes)).value).toMatchObject({ accepted: false, claim, expected })
  })
})

describe('doctor finds', () => {
  const warnings = async () => {
    const { data } = JSON.parse((await runCli(settings, ['doctor', '--json'])).stdout)
    return data.find(({ check }: { check: string }) => check === 'issuers')?.warnings
  }

  test('issuers whose keys cannot be read, one line for each', async () => {
    await pool.query('DELETE FROM workload_identities')
    const other = await issuers.create()
    const general = ['--condition', 'sub=a', '--condition', 'b=c']
    await create(...preset, '--issuer', issuer.url)
    const { id } = JSON.parse((await create('--issuer', other.url, ...general)).stdout)
    expect(await warnings()).toEqual([])
    other.keys = json({ keys: [] })
    issuer.metadata = json({}, 503)
    await create(...preset, '--issuer', issuer.url)
    const first = [
      `2 workload identities get no tokens for ID tokens of ${issuer.url}. The metadata of the issuer cannot be read. The response has the status 503.`,
      `the workload identity ${id} gets no tokens for ID tokens of ${other.url}. The key set of the issuer cannot be read. It has no usable key.`,
    ]
    expect(await warnings()).toMatchObject([{ problem: '3 workload identities cannot be used', rows: { count: 3, first } }])
  })
})

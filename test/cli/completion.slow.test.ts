import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { tmpdir } from 'node:os'
import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { readVersion } from '../../src/config/version.ts'
import { oauthScopes, scopesOfAnyKind } from '../../schema/core/scopes.ts'
import { timezones } from '../../schema/teams/timezones.ts'
import { commands } from '../../src/cli/commands/index.ts'
import { completionScript, shells } from '../../src/cli/completion/scripts.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { runCli, useCli } from '../support/service/cli.ts'

const { env, run, answer } = useCli()
let tokenId: string

beforeAll(async () => {
  await answer('user', 'create', '--email', 'ada@example.com', '--name', 'Ada')
  await answer('user', 'create', '--email', 'adele@example.com', '--name', 'Adele \u202e')
  for (const slug of ['acme', 'acorn', 'zoo', 'gone'])
    await answer('team', 'create', '--slug', slug, '--name', `Team ${slug}`, '--owner', 'ada@example.com')
  await answer('team', 'delete', 'gone', '--yes')
  const registration = ['--public', '--redirect-uri', 'https://app.example/cb', '--required-scope', 'openid']
  await answer('client', 'create', '--client-id', 'dashboard', '--name', 'App', ...registration)
  tokenId = (await answer('token', 'create', '--team', 'acme', '--name', 'ci', '--scope', 'teams')).id
  const { id } = await answer('token', 'create', '--team', 'acme', '--name', 'old', '--scope', 'teams')
  await answer('token', 'revoke', id)
})

/** The words that can stand in place of the last one. */
async function complete(...words: string[]): Promise<string[]> {
  const { status, stdout, stderr } = await run('__complete', ...words)
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])
}

describe('completion', () => {
  test('offers groups, commands, and the options of a command that can still be used', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['import', 'team', 'audit', 'help']))
    expect(await complete('--')).toEqual(['--json', '--help', '--version'])
    expect(await complete('tea')).toEqual(['team'])
    expect(await complete('audit', '')).toEqual(['export'])
    expect(await complete('client', 'rot')).toEqual(['rotate-secret'])
    expect(await complete('--json', 'client', 'rot')).toEqual(['rotate-secret'])
    expect(await complete('client', 'rotate-secret', 'x', '')).toEqual(['--overlap', '--json', '--help'])
    expect(await complete('token', 'create', '--team', 'acme', '--scope', 'teams', '--')).toEqual([
      '--user',
      '--name',
      '--scope',
      '--expires-in',
      '--json',
      '--help',
    ])
    expect(await complete('help', 'user', 'dis')).toEqual(['disable'])
    expect(await complete('help', 'user', 'disable', '')).toEqual([])
    expect(await complete('user', 'delete', 'ada@example.com', '--y')).toEqual(['--yes'])
    expect(await complete('nothing', '')).toEqual([])
    expect(await complete('team', 'create', '--constructor', '')).toContain('--slug')
  })

  test('offers every command', async () => {
    for (const { name, options } of commands) {
      const words = name.split(' ')
      expect(await complete(...words)).toContain(words.at(-1))
      expect(await complete(...words, '--')).toEqual(expect.arrayContaining(Object.keys(options).map((option) => `--${option}`)))
    }
  })

  test('offers the values of fixed lists: scopes, grant types, time zones, states', async () => {
    expect(await complete('token', 'create', '--scope', '')).toEqual(scopesOfAnyKind)
    expect(await complete('token', 'create', '--scope=acct:team:r')).toEqual(['--scope=acct:team:read'])
    expect(await complete('client', 'update', 'x', '--optional-scope', '')).toEqual(oauthScopes)
    expect(await complete('client', 'update', 'x', '--grant', 'ref')).toEqual(['refresh_token'])
    expect(await complete('client', 'update', 'x', '--verified', '')).toEqual(['yes', 'no'])
    expect(await complete('team', 'create', '--timezone', 'Europe/K')).toEqual(timezones.filter((zone) => zone.startsWith('Europe/K')))
    expect(await complete('mail', 'list', '--state', 'p')).toEqual(['pending'])
    expect(await complete('completion', '')).toEqual(shells)
  })

  test('offers the stored slugs, addresses and identifiers, with their names', async () => {
    expect(await complete('team', 'delete', '')).toEqual(['acme', 'acorn', 'zoo'])
    expect(await complete('token', 'list', '--team', 'ac')).toEqual(['acme', 'acorn'])
    expect(await complete('audit', 'export', '--team=z')).toEqual(['--team=zoo'])
    expect(await complete('team', 'restore', '')).toEqual(['gone'])
    expect(await complete('team', 'create', '--owner', 'ade')).toEqual(['adele@example.com'])
    expect(await complete('client', 'show', 'd')).toEqual(['dashboard'])
    expect(await complete('token', 'revoke', '')).toEqual([tokenId])
    // The owner of the deleted team is informed.
    const { data: mails } = await answer('mail', 'list')
    expect(await complete('mail', 'retry', '')).toEqual([mails[0].id])
    // Control characters of names would move the cursor.
    expect((await run('__complete', 'user', 'disable', 'ad')).stdout).toBe('ada@example.com\tAda\nadele@example.com\tAdele \u{fffd}\n')
  })

  test('offers nothing for free text and files, which the shell completes', async () => {
    expect(await complete('team', 'create', '--name', '')).toEqual([])
    expect(await complete('import', '')).toEqual([])
    expect(await complete('backup', 'x', '--passphrase-file', '')).toEqual([])
  })

  test('prints nothing if the database cannot be reached, and creates no embedded one', async () => {
    const unreachable = await runCli({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }, ['__complete', 'team', 'delete', ''])
    expect([unreachable.status, unreachable.stdout]).toEqual([1, ''])
    const dataDir = path.join(tmpdir(), `team-account-completion-${process.pid}`)
    expect(await runCli({ DATA_DIR: dataDir }, ['__complete', 'team', 'delete', ''])).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe('the completion script', () => {
  /** What bash puts in place of the last word of a line, after the last character at which it breaks words. */
  function completeInBash(line: string): string[] {
    const program = `${completionScript('bash')}
      COMP_WORDBREAKS=$' \t\n"\\'><=;|&(:@' COMP_LINE=$1 COMP_POINT=\${#1}; _team_account; printf '%s\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('/bin/bash', ['--norc', '-c', program, 'bash', `team-account ${line}`], {
      encoding: 'utf8',
      env: childEnvironment(env),
    })
    expect([status, stderr]).toEqual([0, ''])
    return stdout.split('\n').filter((word) => word !== '')
  }

  test.each([
    ['client rot', ['rotate-secret']],
    ['user delete ada@', ['example.com']],
    ['token create --team acme --scope acct:team:a', ['apps:read', 'access:read', 'access:write', 'audit:read']],
    ['token create --scope=teams --team=zo', ['zoo']],
    ['import ', []],
  ])('of bash completes %s', (line, words) => expect(completeInBash(line)).toEqual(words))

  test.each(shells)('of %s is printed by the command', async (shell) => {
    expect(await run('completion', shell)).toEqual({ status: 0, stdout: `${completionScript(shell)}\n`, stderr: '' })
  })

  test('is printed for no other shell', async () => {
    expect(await run('completion', 'tcsh')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'SHELL must be one of bash, zsh, fish; it is tcsh (see: npm run -s cli -- completion --help)\n',
    })
  })
})

describe('the version', () => {
  test('is the version in package.json', async () => {
    expect(await run('--version')).toEqual({ status: 0, stdout: `team-account-service ${await readVersion()}\n`, stderr: '' })
    expect(await run('-v')).toEqual(await run('--version'))
    expect(JSON.parse((await run('--version', '--json')).stdout)).toEqual({ version: await readVersion() })
  })
})

describe('help', () => {
  test.each([
    [['help'], ['--help']],
    [
      ['help', 'team'],
      ['team', '--help'],
    ],
    [
      ['help', 'team', 'create'],
      ['team', 'create', '--help'],
    ],
    [
      ['help', 'import'],
      ['import', '--help'],
    ],
  ])('%j prints the same as %j', async (line, option) => {
    const printed = await run(...line)
    expect([printed.status, printed.stdout.startsWith('Usage: npm run -s cli -- ')]).toEqual([0, true])
    expect(printed).toEqual(await run(...option))
  })

  test('is refused for an unknown command', async () => {
    const stderr = 'unknown command teams; did you mean team? (see: npm run -s cli -- --help)\n'
    expect(await run('help', 'teams')).toEqual({ status: 2, stdout: '', stderr })
  })
})

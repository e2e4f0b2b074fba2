import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { completionScript } from '../../src/cli/completion.ts'
import { commands } from '../../src/cli/commands/index.ts'
import { runCli } from '../support/service/cli.ts'

const run = (...args: string[]) => runCli({}, args)

describe('the completion script', () => {
  const bash = completionScript('bash', commands)

  /** What bash offers for the last word of a line. */
  function complete(...words: string[]): string[] {
    const line = ['team-account', ...words].map((word) => `'${word}'`).join(' ')
    const program = `${bash}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _team_account; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('/bin/bash', ['--norc', '-c', program], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    return stdout.split('\n').filter((word) => word !== '')
  }

  test('of bash completes groups, commands and the options of a command', () => {
    expect(complete('')).toEqual(expect.arrayContaining(['import', 'team', 'audit', 'help', '--version', '--json']))
    expect(complete('tea')).toEqual(['team'])
    expect(complete('audit', '')).toEqual(['export', '--json', '--help'])
    expect(complete('client', 'rot')).toEqual(['rotate-secret'])
    expect(complete('client', 'rotate-secret', 'x', '--')).toEqual(['--overlap', '--json', '--help'])
    expect(complete('token', 'create', '--team', 'acme', '--s')).toEqual(['--scope'])
    expect(complete('help', 'user', 'dis')).toEqual(['disable'])
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish', '--json', '--help'])
    expect(complete('user', 'delete', 'a@example.com', '--y')).toEqual(['--yes'])
  })

  test.each(['bash', 'zsh', 'fish'] as const)('of %s contains every command and option, and is printed by the command', async (shell) => {
    const { status, stdout, stderr } = await run('completion', shell)
    expect([status, stderr, stdout]).toEqual([0, '', completionScript(shell, commands)])
    for (const { name, options } of commands) {
      for (const word of name.split(' ')) expect(stdout).toContain(word)
      for (const option of Object.keys(options)) expect(stdout).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`)
    }
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
    expect(await run('--version')).toEqual({ status: 0, stdout: 'team-account-service 1.0.0\n', stderr: '' })
    expect(await run('-v')).toEqual(await run('--version'))
    expect(JSON.parse((await run('--version', '--json')).stdout)).toEqual({ version: '1.0.0' })
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

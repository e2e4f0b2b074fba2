import { spawn } from 'node:child_process'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { runLine } from '../../src/cli/run.ts'
import { textWidth } from '../../src/cli/terminal/layout.ts'
import { withTerminal } from '../../src/cli/terminal/terminal.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { spawnCli, useCli } from '../support/service/cli.ts'

const { env, run, answer } = useCli()
const scopes = ['teams', 'acct:team:read', 'acct:team:members:read', 'acct:team:invitations:write']

beforeAll(async () => {
  await answer('user', 'create', '--email', 'ada@example.com', '--name', 'Ada King, Countess of Lovelace')
  await answer('user', 'create', '--email', 'masuda@example.com', '--name', '増田 淳一 🎵')
  await answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
  await answer('token', 'create', '--team', 'acme', '--name', 'ci', ...scopes.flatMap((scope) => ['--scope', scope]))
})

/** The lines that a command prints on a terminal of so many columns, without colours. */
async function linesOn(columns: number, ...line: string[]): Promise<string[]> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns })
  const output = text(stdout)
  await withTerminal({ stdin: new PassThrough(), stdout, stderr: new PassThrough(), settings: env }, () => runLine(line))
  stdout.end()
  return stripVTControlCharacters(await output).split('\n')
}

describe('a table on a terminal', () => {
  test.each([60, 80, 120, 300])('fits in %i columns, and words are never broken', async (columns) => {
    for (const command of ['user list', 'team list', 'token list --team acme', 'migrate status', 'help', 'token create --help']) {
      const lines = await linesOn(columns, ...command.split(' '))
      const [, ...table] = lines.slice(command.endsWith('help') ? lines.findIndex((each) => /^(Commands|Options)/.test(each)) : 0)
      const notes = /^(Exit status|Too wide)/
      expect(table.filter((each) => textWidth(each) > columns && !notes.test(each))).toEqual([])
    }
    expect((await linesOn(columns, 'user', 'list')).join('\n')).toContain('ada@example.com')
  })

  test('has cells of several lines if it is wider than the terminal, and columns stay aligned under wide characters', async () => {
    expect(await linesOn(60, 'user', 'list')).toEqual([
      'EMAIL               NAME           DISABLED  VERIFIED  STAFF',
      'ada@example.com     Ada King,      –         no        no',
      '                    Countess of',
      '                    Lovelace',
      'masuda@example.com  増田 淳一 🎵   –         no        no',
      '',
    ])
  })

  test('leaves out the last columns if not even their longest words fit, and names them', async () => {
    const lines = await linesOn(75, 'token', 'list', '--team', 'acme')
    expect(lines[0]).toMatch(/^ID {36}HINT {7}NAME {2}REVOKED {2}EXPIRES$/)
    expect(lines.at(-2)).toBe('Too wide for this terminal: last used, scopes, old value until. Also in --json.')
  })

  test('is complete, with a line for each row, where the output is not a terminal', async () => {
    const { stdout } = await run('token', 'list', '--team', 'acme')
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stdout).toContain(`${scopes.join(' ')}  –`)
  })
})

/** What a command writes to a real terminal of 100 columns; `ESC` begins a colour. `script` of util-linux creates the terminal. */
async function onTerminal(more: Record<string, string>, ...line: string[]): Promise<string> {
  const program = [process.execPath, path.join(projectFolder, 'dist', 'cli.js'), ...line].map((word) => `'${word}'`).join(' ')
  const options = ['--quiet', '--return', '--command', `stty cols 100; ${program}`, '/dev/null']
  const child = spawn('script', options, { env: childEnvironment({ ...env, TERM: 'xterm-256color', ...more }) })
  child.stdin.end()
  return (await text(child.stdout)).replaceAll(escape, 'ESC')
}
const escape = '\u001b['

describe('colours', () => {
  test('are used on a terminal: bold headings, states in their colour, errors in red', async () => {
    expect(await onTerminal({}, 'migrate', 'status')).toMatch(/^ESC1mMIGRATIONESC22m .*ESC1mSTATEESC22m\r\n.*ESC32mappliedESC39m\r\n/)
    expect(await onTerminal({}, 'team', '--help')).toContain('ESC1mUsage:ESC22m')
    expect(await onTerminal({}, 'teams')).toMatch(/^ESC31munknown command teamsESC39m; did you mean team\?/)
  })

  test('are not used with NO_COLOR, or in a terminal that has none', async () => {
    for (const setting of [{ NO_COLOR: '1' }, { TERM: 'dumb' }] as Record<string, string>[])
      for (const line of [['migrate', 'status'], ['team', '--help'], ['teams']])
        expect(await onTerminal(setting, ...line)).not.toContain('ESC')
  })

  test('are never written to a pipe, even with FORCE_COLOR', async () => {
    for (const line of [['migrate', 'status'], ['team', '--help'], ['teams']]) {
      const { stdout, stderr } = await spawnCli({ ...env, FORCE_COLOR: '1' }, line)
      expect(stdout + stderr).not.toContain(escape)
    }
  })

  test('are not part of the output with --json', async () => {
    const output = await onTerminal({}, 'migrate', 'status', '--json')
    expect(JSON.parse(output)).toMatchObject({ pending: [], failed: [] })
  })
})

import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands/index.ts'
import { durationSeconds } from '../../src/cli/argument-values.ts'
import { commandHelp } from '../../src/cli/help.ts'
import { parseCall } from '../../src/cli/parse-arguments.ts'
import { spawnCli } from '../support/service/cli.ts'

const run = (...args: string[]) => spawnCli({}, args)
const names = commands.map(({ name }) => name)

describe('invalid command-line arguments', () => {
  test.each([
    [[], 'no command given', undefined],
    [['teams'], 'unknown command teams', undefined],
    [['--verbose'], 'unknown option --verbose', undefined],
    [['team'], 'team requires one of create, list, delete, restore, require-two-factor, require-sign-in', 'team'],
    [
      ['team', 'show'],
      'unknown command team show, expected one of create, list, delete, restore, require-two-factor, require-sign-in',
      'team',
    ],
    [
      ['team', '--slug', 'x'],
      'unknown command team --slug, expected one of create, list, delete, restore, require-two-factor, require-sign-in',
      'team',
    ],
    [['team', 'list', '--all'], "unknown option '--all'", 'team list'],
    [['team', 'list', 'acme'], 'unexpected argument acme', 'team list'],
    [['team', 'create', '--name', 'Acme'], '--slug SLUG is required', 'team create'],
    [['team', 'create', '--slug', 'a', '--slug', 'b', '--name', 'A'], '--slug may be used only once', 'team create'],
    [['team', 'create', '--slug', 'a', '--name'], "option '--name <value>' argument missing", 'team create'],
    [['team', 'list', '--json=yes'], "option '--json' does not take an argument", 'team list'],
    [['user', 'create', '--email', 'a@example.com', '--name', 'A', '--password', 'secret'], "unknown option '--password'", 'user create'],
    [['user', 'delete'], 'EMAIL is required', 'user delete'],
    [['token', 'create', '--team', 'a', '--name', 'n'], '--scope SCOPE is required', 'token create'],
    [['help', 'nothing'], 'unknown command nothing', undefined],
    [['--version', 'team'], 'unknown option --version', undefined],
    [['completion'], 'SHELL is required', 'completion'],
    [['completion', 'tcsh'], 'SHELL must be one of bash, zsh, fish; it is tcsh', 'completion'],
    [['mail', 'list', '--state', 'done'], '--state must be one of pending, failed, sent; it is done', 'mail list'],
    [['client', 'update', 'x', '--verified', 'maybe'], '--verified must be yes or no; it is maybe', 'client update'],
    [['import'], 'FILE is required', 'import'],
    [['import', 'a', 'b'], 'unexpected argument b', 'import'],
  ])('%j are refused: %s', (line, message, command) => {
    expect(() => parseCall(commands, line)).toThrow(expect.objectContaining({ name: 'UsageError', message, command }))
  })

  test.each([
    [['teams'], 'team'],
    [['Import'], 'import'],
    [['user', 'crate'], 'user create'],
    [['team', 'lsit'], 'team list'],
    [['--verison'], '--version'],
    [['team', 'create', '--salg', 'x'], '--slug'],
    [['client', 'update', 'x', '--redirect-url', 'y'], '--redirect-uri'],
    [['token', 'list', '--jsn'], '--json'],
    [['mail', 'list', '--state', 'faild'], 'failed'],
    [['completion', 'fihs'], 'fish'],
    [['help', 'expotr'], 'export'],
    [['frobnicate'], undefined],
    [['team', 'list', '--everything'], undefined],
    [['team', 'list', '-x'], undefined],
    [['client', 'update', 'x', '--verified', 'maybe'], undefined],
  ])('%j are refused with the suggestion %s', (line, suggestion) => {
    expect(() => parseCall(commands, line)).toThrow(expect.objectContaining({ name: 'UsageError', suggestion }))
  })

  test('make the process exit with 2 and print one line to stderr that names the help page', async () => {
    expect(await run('team', 'list', '--all')).toEqual({
      status: 2,
      stdout: '',
      stderr: "unknown option '--all' (see: npm run -s cli -- team list --help)\n",
    })
    const suggested = "unknown option '--slgu'; did you mean --slug? (see: npm run -s cli -- team create --help)\n"
    expect(await run('team', 'create', '--slgu', 'x')).toEqual({ status: 2, stdout: '', stderr: suggested })
    expect(await run()).toEqual({ status: 2, stdout: '', stderr: 'no command given (see: npm run -s cli -- --help)\n' })
  })

  test('are reported as a JSON object with --json', async () => {
    const { status, stdout, stderr } = await run('token', 'list', '--json')
    expect({ status, stdout, error: JSON.parse(stderr) }).toEqual({
      status: 2,
      stdout: '',
      error: { error: { code: 'wrong_usage', message: 'one of --team SLUG and --user EMAIL is required' } },
    })
    // A suggestion is for people: the object stays the same.
    const unknown = await run('teams', '--json')
    expect(JSON.parse(unknown.stderr)).toEqual({ error: { code: 'wrong_usage', message: 'unknown command teams' } })
  })
})

describe('the option --help', () => {
  test('lists every command, or the commands of a group', async () => {
    const { status, stdout, stderr } = await run('--help')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const { name, summary } of commands)
      expect(stdout).toContain(`${name.padEnd(Math.max(...names.map((each) => each.length)))}  ${summary}`)
    const group = await run('token', '--help')
    expect(group.status).toBe(0)
    expect(group.stdout.match(/^ {2}\w+ \w+/gm)).toEqual(['  token create', '  token list', '  token revoke'])
  })

  test.each(names)('prints the help of %s at any position of the arguments', (name) => {
    const command = commands.find((each) => each.name === name)
    if (!command) throw new Error(name)
    for (const line of [
      [...name.split(' '), '--help'],
      ['--help', ...name.split(' ')],
      [...name.split(' '), '--nonsense', '-h'],
    ])
      expect(parseCall(commands, line)).toEqual({ kind: 'help', command, group: undefined })
    const help = commandHelp(command)
    expect(help).toMatch(new RegExp(`^Usage: npm run -s cli -- ${name}( |\n)`))
    expect(help).toContain(command.summary)
    for (const [option, { value, description, values = [] }] of Object.entries(command.options)) {
      expect(help).toContain(`--${option}${value === undefined ? '' : ` ${value}`}`)
      expect(help).toContain(description)
      expect(help).toContain(values.join(', '))
    }
    for (const [positional, { description }] of Object.entries(command.positionals))
      expect(help).toContain(`${positional.toUpperCase()}  ${description}`)
  })
})

describe('valid command-line arguments', () => {
  test('are parsed into options, repeated options, positionals and flags in any order, also with --json before the command', () => {
    const line = ['--json', 'token', 'create', '--scope', 'teams', '--name=ci', '--team', 'acme', '--scope', 'flow:rules:read']
    expect(parseCall(commands, line)).toMatchObject({
      kind: 'run',
      command: { name: 'token create' },
      input: { json: true, options: { team: 'acme', user: undefined, name: 'ci', scope: ['teams', 'flow:rules:read'] }, positionals: {} },
    })
    expect(parseCall(commands, ['import', '--partial', '-'])).toMatchObject({
      input: { json: false, options: { partial: true }, positionals: { file: '-' } },
    })
    expect(parseCall(commands, ['export'])).toMatchObject({ input: { options: {}, positionals: { file: undefined } } })
    expect(parseCall(commands, ['import', '--', '--odd.ndjson'])).toMatchObject({ input: { positionals: { file: '--odd.ndjson' } } })
  })

  test.each([
    ['45s', 45],
    ['10m', 600],
    ['24h', 86_400],
    ['90d', 7_776_000],
    ['2w', 1_209_600],
    ['1y', 31_536_000],
  ])('may contain the duration %s, which is %d seconds', (text, seconds) => expect(durationSeconds(text, '--expires-in')).toBe(seconds))

  test.each(['', '90', 'd', '0d', '-1d', '1.5d', '90 d', '1mo', '101y', '9999999999s'])('must not contain %j as a duration', (text) =>
    expect(() => durationSeconds(text, '--expires-in')).toThrow(
      new UsageError(`--expires-in must be a time such as 90d, in s, m, h, d, w or y; it is ${text}`),
    ),
  )
})

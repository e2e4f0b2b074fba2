import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { durationSeconds } from '../../src/cli/duration.ts'
import { commandHelp } from '../../src/cli/help.ts'
import { parseCall } from '../../src/cli/parse.ts'
import { runCli } from '../support/cli.ts'

const run = (...args: string[]) => runCli({}, args)
const names = commands.map(({ name }) => name)

describe('given a wrong call', () => {
  test.each([
    [[], 'no command given', undefined],
    [['teams'], 'unknown command teams', undefined],
    [['--verbose'], 'unknown option --verbose', undefined],
    [['team'], 'team needs one of create, list', 'team'],
    [['team', 'show'], 'unknown command team show: one of create, list', 'team'],
    [['team', '--slug', 'x'], 'unknown command team --slug: one of create, list', 'team'],
    [['team', 'list', '--all'], "unknown option '--all'", 'team list'],
    [['team', 'list', 'acme'], 'unexpected argument acme', 'team list'],
    [['team', 'create', '--name', 'Acme'], '--slug SLUG is required', 'team create'],
    [['team', 'create', '--slug', 'a', '--slug', 'b', '--name', 'A'], '--slug may be given once', 'team create'],
    [['team', 'create', '--slug', 'a', '--name'], "option '--name <value>' argument missing", 'team create'],
    [['team', 'list', '--json=yes'], "option '--json' does not take an argument", 'team list'],
    [['user', 'create', '--email', 'a@example.com', '--name', 'A', '--password', 'secret'], "unknown option '--password'", 'user create'],
    [['user', 'delete'], 'EMAIL is required', 'user delete'],
    [['token', 'create', '--team', 'a', '--name', 'n'], '--scope SCOPE is required', 'token create'],
    [['import'], 'FILE is required', 'import'],
    [['import', 'a', 'b'], 'unexpected argument b', 'import'],
  ])('%j is refused: %s', (line, message, command) => {
    expect(() => parseCall(commands, line)).toThrow(expect.objectContaining({ name: 'UsageError', message, command }))
  })

  test('the process says so in one line on stderr, with where to read on, and ends with 2', async () => {
    expect(await run('team', 'list', '--all')).toEqual({
      status: 2,
      stdout: '',
      stderr: "unknown option '--all' (see: npm run -s cli -- team list --help)\n",
    })
    expect(await run()).toEqual({ status: 2, stdout: '', stderr: 'no command given (see: npm run -s cli -- --help)\n' })
  })

  test('with --json it says so as an object', async () => {
    const { status, stdout, stderr } = await run('token', 'list', '--json')
    expect({ status, stdout, error: JSON.parse(stderr) }).toEqual({
      status: 2,
      stdout: '',
      error: { error: { code: 'wrong_usage', message: 'one of --team SLUG and --user EMAIL is required' } },
    })
  })
})

describe('given a call for help', () => {
  test('the overview names every command, a group its own', async () => {
    const { status, stdout, stderr } = await run('--help')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const { name, about } of commands)
      expect(stdout).toContain(`${name.padEnd(Math.max(...names.map((each) => each.length)))}  ${about}`)
    const group = await run('token', '--help')
    expect(group.status).toBe(0)
    expect(group.stdout.match(/^ {2}\w+ \w+/gm)).toEqual(['  token create', '  token list', '  token revoke'])
  })

  test.each(names)('%s describes itself, wherever --help stands', (name) => {
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
    expect(help).toContain(command.about)
    for (const [option, { value, about }] of Object.entries(command.options)) {
      expect(help).toContain(`--${option}${value === undefined ? '' : ` ${value}`}`)
      expect(help).toContain(about)
    }
    for (const [positional, { about }] of Object.entries(command.positionals))
      expect(help).toMatch(new RegExp(`${positional.toUpperCase()} +${about}`))
  })
})

describe('given a right call', () => {
  test('options, repeated options, arguments and flags arrive by name, in any order, --json before the command too', () => {
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
  ])('the time %s is %d seconds', (text, seconds) => expect(durationSeconds(text, '--expires-in')).toBe(seconds))

  test.each(['', '90', 'd', '0d', '-1d', '1.5d', '90 d', '1mo', '101y', '9999999999s'])('%j is no time', (text) =>
    expect(() => durationSeconds(text, '--expires-in')).toThrow(
      new UsageError(`--expires-in must be a time such as 90d, in s, m, h, d, w or y; it is ${text}`),
    ),
  )
})

import { beforeAll, describe, expect, test } from 'vitest'
import { textWidth } from '../../../src/cli/terminal/layout.ts'
import { runOnTerminal, useCli } from '../../support/service/cli.ts'

const { env, run, answer } = useCli()
const scopes = ['teams', 'acct:team:read', 'acct:team:members:read', 'acct:team:invitations:write']
const linesOn = (columns: number, ...line: string[]) => runOnTerminal(env, columns, line)

beforeAll(async () => {
  await answer('user', 'create', '--email', 'ada@example.com', '--name', 'Ada King, Countess of Lovelace')
  await answer('user', 'create', '--email', 'masuda@example.com', '--name', '増田 淳一 🎵')
  await answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
  await answer('token', 'create', '--team', 'acme', '--name', 'ci', ...scopes.flatMap((scope) => ['--scope', scope]))
})

describe('a table on a terminal', () => {
  test.each([60, 80, 120, 300])('fits in %i columns', async (columns) => {
    for (const command of ['user list', 'team list', 'token list --team acme', 'migrate status', 'help', 'token create --help']) {
      const lines = await linesOn(columns, ...command.split(' '))
      const [, ...table] = lines.slice(command.endsWith('help') ? lines.findIndex((each) => /^(Commands|Options)/.test(each)) : 0)
      expect(table.filter((each) => textWidth(each) > columns && !each.startsWith('Exit status'))).toEqual([])
    }
    expect((await linesOn(columns, 'user', 'list')).join('\n')).toContain('ada@example.com')
  })

  test('has cells of several lines if it is wider than the terminal, and columns stay aligned under wide characters', async () => {
    expect(await linesOn(60, 'user', 'list')).toEqual([
      'EMAIL               NAME           DISABLED  VERIFIED  STAFF',
      'ada@example.com     Ada King,      –         no        –',
      '                    Countess of',
      '                    Lovelace',
      'masuda@example.com  増田 淳一 🎵   –         no        –',
      '',
    ])
  })

  test('leaves out columns that do not fit beside those before them, and names them', async () => {
    const lines = await linesOn(60, 'token', 'list', '--team', 'acme')
    expect(lines[0]).toBe('NAME  STATE   SCOPES                         EXPIRES  LAST')
    expect(lines.slice(-3, -1)).toEqual([
      'Too wide for this terminal: id, hint, revoked, old value',
      'until. Shown with --json, and in a pipe or a file.',
    ])
  })

  test('is complete, with a line for each row, where the output is not a terminal', async () => {
    const { stdout } = await run('token', 'list', '--team', 'acme')
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stdout).toMatch(new RegExp(`^ci +active +${scopes.join(' ')} +– +[0-9a-f-]{36} +tat_`, 'm'))
  })
})

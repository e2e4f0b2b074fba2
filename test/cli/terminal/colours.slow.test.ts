import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { childEnvironment } from '../../support/processes/child-environment.ts'
import { spawnCli, useCli } from '../../support/service/cli.ts'

const { env } = useCli()

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

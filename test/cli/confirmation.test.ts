import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { runLine } from '../../src/cli/run.ts'
import { withTerminal } from '../../src/cli/terminal/terminal.ts'
import { useCli } from '../support/service/cli.ts'

const { pool, env, run, answer } = useCli()

beforeAll(async () => {
  for (const id of ['kept', 'gone', 'asked'])
    await answer(
      'client',
      'create',
      '--client-id',
      id,
      '--name',
      id,
      '--public',
      '--redirect-uri',
      'https://app.example/cb',
      '--required-scope',
      'openid',
    )
  await answer('user', 'create', '--email', 'ada@example.com', '--name', 'Ada')
})

const clientIds = async () => (await pool.query<{ id: string }>('SELECT client_id AS id FROM oauth_clients')).rows.map(({ id }) => id)

/** Runs a command in a terminal in which the user answers every question with `reply`. */
async function ask(reply: string, ...line: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  stdin.end(`${reply}\n`)
  const status = await withTerminal({ stdin, stdout, stderr, settings: env }, () => runLine(line))
  stdout.end()
  stderr.end()
  return { status, stdout: await text(stdout), stderr: await text(stderr) }
}

describe('a command that deletes', () => {
  test.each([
    ['client', 'delete', 'kept'],
    ['user', 'delete', 'ada@example.com'],
  ])('%s %s is refused without a terminal and without --yes, and changes nothing', async (...line) => {
    const command = line.slice(0, 2).join(' ')
    expect(await run(...line)).toEqual({
      status: 2,
      stdout: '',
      stderr: `nothing was changed: --yes is required without a terminal (see: npm run -s cli -- ${command} --help)\n`,
    })
    const { error } = JSON.parse((await run(...line, '--json')).stderr)
    expect(error.code).toBe('wrong_usage')
    expect(await clientIds()).toContain('kept')
    expect((await answer('user', 'list')).data).toHaveLength(1)
  })

  test('runs without a question with --yes', async () => {
    expect(await run('client', 'delete', 'gone', '--yes')).toEqual({ status: 0, stdout: 'Deleted client gone.\n', stderr: '' })
    expect(await clientIds()).not.toContain('gone')
  })

  test.each(['', 'n', 'no', 'yessir', 'asked'])('changes nothing when the user answers %j', async (reply) => {
    const { status, stdout, stderr } = await ask(reply, 'client', 'delete', 'asked')
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^Delete client asked with its secrets and all its grants\? This cannot be undone\. \[y\/N\] nothing was changed\n$/,
      ),
    ])
    expect(await clientIds()).toContain('asked')
  })

  test('runs when the user answers yes', async () => {
    expect(await ask('y', 'client', 'delete', 'asked')).toMatchObject({ status: 0, stdout: 'Deleted client asked.\n' })
    expect(await clientIds()).not.toContain('asked')
  })

  test('always has the option --yes', () => {
    const deleting = commands.filter(({ name }) => name.endsWith(' delete'))
    expect(deleting.length).toBeGreaterThan(1)
    for (const { options } of deleting) expect(Object.keys(options)).toContain('yes')
  })
})

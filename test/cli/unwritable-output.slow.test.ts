import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import path from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { runLine } from '../../src/cli/run.ts'
import { withTerminal } from '../../src/cli/terminal/terminal.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { closeAtEnd, createClosedPipe } from '../support/processes/pipe.ts'

/** Runs a command with these descriptors as standard output and standard error. */
function run(command: string, stdout: number, stderr: number | 'pipe') {
  const { status, stderr: text } = spawnSync(process.execPath, [path.join(projectFolder, 'dist', 'cli.js'), command], {
    env: childEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', stdout, stderr],
  })
  return { status, stderr: text }
}

test('a command ends quietly with its status when nothing reads its output', () => {
  const pipe = createClosedPipe()
  expect(run('help', pipe, 'pipe')).toEqual({ status: 0, stderr: '' })
  expect(run('help', pipe, pipe).status).toBe(0)
  expect(run('no-such-command', pipe, pipe).status).toBe(2)
})

test('a command ends quietly when its terminal is closed', async () => {
  const stdout = new Writable({ write: (_, __, done) => done(Object.assign(new Error('write EIO'), { code: 'EIO' })) })
  const stderr = new PassThrough()
  expect(await withTerminal({ stdin: Readable.from([]), stdout, stderr, settings: {} }, () => runLine(['help']))).toBe(0)
  expect(stderr.read()).toBeNull()
})

test('a command whose output does not fit on the disk fails and says so, where that can be written', () => {
  const full = closeAtEnd(openSync('/dev/full', 'w'))
  expect(run('help', full, 'pipe')).toEqual({ status: 1, stderr: expect.stringMatching(/^the disk is full, [^\n]*\n$/) })
  expect(run('help', full, full).status).toBe(1)
  expect(run('no-such-command', full, full).status).toBe(2)
})

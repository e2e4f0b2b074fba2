import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { waitFor } from '../service/wait.ts'

/** Returns true if an interpreter or a compiler of the programs is installed. */
export const isInstalled = (command: string) => spawnSync(command, [command === 'go' ? 'version' : '--version']).status === 0

export const createProgramFolder = () => mkdtempSync(path.join(tmpdir(), 'quick-start-'))

/**
 * Runs a program of the quick start with the command in its first line, and stops it at the end of the test. Returns the address that
 * the line names.
 */
export async function runAsShown(text: string, file: string, env: Record<string, string> = {}): Promise<string> {
  const cwd = createProgramFolder()
  writeFileSync(path.join(cwd, file), text)
  const [, command = '', address = ''] = /Start it with `(?:CLIENT_SECRET=… )?([^`]+)`, then open (\S+)/.exec(text) ?? []
  const [program = '', ...options] = command.split(' ')
  // In its own process group, because `go run` starts the program as another process.
  const running = spawn(program, options, { cwd, env: { ...process.env, ...env }, stdio: 'ignore', detached: true })
  onTestFinished(() => void process.kill(-(running.pid ?? 0)))
  const isRunning = () =>
    fetch(`${address}favicon.ico`).then(
      ({ status }) => status === 404,
      () => false,
    )
  await waitFor(isRunning)
  return address
}

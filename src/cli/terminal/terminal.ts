import { AsyncLocalStorage } from 'node:async_hooks'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** An output stream; `columns` is the width of a terminal in characters. */
export type Output = Writable & { isTTY?: boolean; columns?: number }

/** What a call reads and writes. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  /** The environment variables that settings are read from. Undefined: those of the process, and the file .env. */
  settings?: NodeJS.ProcessEnv
  /** What the user types to run a command, for the help. */
  program?: string
  /** The folder that files of the user are relative to. Undefined: the working directory. */
  callerFolder?: string
}

const storage = new AsyncLocalStorage<Terminal>()

/** Runs a call with streams and settings of its own, so that one process can run several. */
export const withTerminal = <Result>(terminal: Terminal, call: () => Result): Result => storage.run(terminal, call)

/** The terminal of the current call; the process itself unless `withTerminal` set another. */
export const currentTerminal = (): Terminal => storage.getStore() ?? process

/** What the user types before the name of a command. */
export const program = () => currentTerminal().program ?? 'npm run -s cli --'

/** The path of a file that the user named. */
export function callerPath(file: string): string {
  const { callerFolder } = currentTerminal()
  return callerFolder === undefined ? file : path.resolve(callerFolder, file)
}

import { AsyncLocalStorage } from 'node:async_hooks'
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
}

const storage = new AsyncLocalStorage<Terminal>()

/** Runs a call with streams and settings of its own, so that one process can run several. */
export const withTerminal = <Result>(terminal: Terminal, call: () => Result): Result => storage.run(terminal, call)

/** The terminal of the current call; the process itself unless `withTerminal` set another. */
export const currentTerminal = (): Terminal => storage.getStore() ?? process

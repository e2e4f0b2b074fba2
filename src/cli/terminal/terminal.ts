import { AsyncLocalStorage } from 'node:async_hooks'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { styleText } from 'node:util'
import { hasCode } from '../../config/error-message.ts'

/** An output stream; `columns` is the width of a terminal in characters. */
type Output = Writable & { isTTY?: boolean; columns?: number }

/** Streams and settings of a call. */
interface Terminal {
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  /** Environment variables from which settings are read. If undefined, those of the process and the file .env. */
  settings?: NodeJS.ProcessEnv
  /** Text that the user types to run a command, for the help. */
  program?: string
  /** Folder to which paths of the user's files are relative. If undefined, the working directory. */
  callerFolder?: string
}

const storage = new AsyncLocalStorage<Terminal>()

/** Runs a call with its own streams and settings, so that one process can run several. */
export const withTerminal = <Result>(terminal: Terminal, call: () => Result): Result => storage.run(terminal, call)

/** Returns the terminal of the current call; that of the process unless `withTerminal` set another. */
export const currentTerminal = (): Terminal => storage.getStore() ?? process

/** Returns the text before the name of a command. */
export const program = () => currentTerminal().program ?? 'npm run -s cli --'

/** Returns the path of a user-specified file. */
export function callerPath(file: string): string {
  const { callerFolder } = currentTerminal()
  return callerFolder === undefined ? file : path.resolve(callerFolder, file)
}

/** Writes to standard output; false if its reader closed the pipe before the end, as `head` does, or the terminal is closed. */
export async function writeToStdout(chunks: AsyncIterable<string | Uint8Array> | string[]): Promise<boolean> {
  try {
    await pipeline(Readable.from(chunks), currentTerminal().stdout, { end: false })
    return true
  } catch (error) {
    if (hasCode(error, 'EPIPE', 'EIO')) return false
    throw error
  }
}

export type Format = Parameters<typeof styleText>[0]

/** Returns the text in a colour or in bold, if the output is a terminal with colours. Node reads NO_COLOR and TERM. */
export const style = (output: Output, format: Format, text: string): string =>
  output.isTTY ? styleText(format, text, { stream: output }) : text

import { isDiskFull, isUnavailable } from '../../../prisma/connection/availability.ts'
import { DomainError } from '../../../schema/core/errors.ts'
import { ConfigError } from '../../config/setting-text.ts'
import { getErrorCode, diskFullLine, isPlainError, getErrorMessage, unavailableLine } from '../../config/error-message.ts'
import { UsageError } from '../command.ts'
import type { CommandResult } from '../command.ts'
import { hint } from '../help.ts'
import { writeToStdout, style, currentTerminal } from './terminal.ts'

/** Prints the result of a command. Ignores a reader that closed the pipe early. */
export async function printResult({ value, text }: CommandResult, json: boolean): Promise<void> {
  const output = !json ? text : value === null ? '' : JSON.stringify(value)
  if (output !== '') await writeToStdout([`${output}\n`])
}

/** A failure with more than one line of output. */
export class CommandFailure extends Error {
  readonly code: string
  /** Lines before the message, without `--json`. */
  readonly lines: readonly string[]
  /** Additional members of the error with `--json`. */
  readonly more: object
  /** The status is 2 if a value is wrong regardless of the stored data. */
  readonly status: 1 | 2
  /** The value that the user probably meant. */
  readonly suggestion: string | undefined

  constructor(code: string, message: string, lines: readonly string[], more: object, wrongValue?: { suggestion: string | undefined }) {
    super(message)
    this.name = 'CommandFailure'
    this.code = code
    this.lines = lines
    this.more = more
    this.status = wrongValue ? 2 : 1
    this.suggestion = wrongValue?.suggestion
  }
}

/** Prints an error to standard error and returns the exit status: 2 for wrong usage and wrong values, otherwise 1. */
export function printFailure(error: unknown, json: boolean): 1 | 2 {
  const { stderr } = currentTerminal()
  const { code, message, ...more } = describe(error)
  const lines = error instanceof CommandFailure ? error.lines : []
  const explains = error instanceof UsageError || error instanceof CommandFailure
  const meant = explains && error.suggestion !== undefined ? `; did you mean ${error.suggestion}?` : ''
  const help = error instanceof UsageError ? ` (${hint(error.command)})` : ''
  const text = [...lines.map(printable), style(stderr, 'red', printable(message)) + printable(meant + help)].join('\n')
  stderr.write(`${json ? JSON.stringify({ error: { code, message, ...more } }) : text}\n`)
  // An unexpected error includes its stack trace.
  if (!isPlainError(error) && !json) stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return error instanceof UsageError ? 2 : error instanceof CommandFailure ? error.status : 1
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof UsageError) return { code: 'wrong_usage', message: error.message }
  if (isDiskFull(error)) return { code: 'disk_full', message: diskFullLine(error) }
  if (error instanceof ConfigError) return { code: 'wrong_setting', message: error.message }
  if (error instanceof DomainError && error.code === 'unavailable') return unavailable(error.details.detail ?? error.message)
  if (error instanceof CommandFailure) return { code: error.code, message: error.message, ...error.more }
  if (isUnavailable(error)) return unavailable(getErrorMessage(error))
  return { code: 'server_error', message: fileProblem(error) ?? getErrorMessage(error) }
}

/** Describes the error of a user-specified file. */
function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error && 'path' in error)) return undefined
  const problem = fileProblems[getErrorCode(error) ?? '']
  // A file is first written under another name (src/data-transfer/export/destination.ts).
  return problem && `${String(error.path).replace(/\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '')}: ${problem}`
}
const fileProblems: Partial<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of this path is not a folder',
  EROFS: 'the file system is read-only',
}

const unavailable = (reason: string) => ({ code: 'database_unavailable', message: unavailableLine(reason) })

/** Replaces control characters, which could move the cursor, and bidirectional controls, which could reorder text. */
export const printable = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '\u{fffd}')

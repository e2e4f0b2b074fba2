import { isUnavailable } from '../../prisma/availability.ts'
import { DomainError } from '../../schema/errors.ts'
import { ConfigError } from '../config.ts'
import { isPlainError, messageOf } from '../failure.ts'
import { UsageError } from './command.ts'
import type { Answer } from './command.ts'
import { hint } from './help.ts'
import { writeToStdout } from './stdout.ts'

/** Says what a command answers; whoever stopped listening before the end has heard enough. */
export async function printAnswer({ value, text }: Answer, json: boolean): Promise<void> {
  const said = !json ? text : value === null ? '' : JSON.stringify(value)
  if (said !== '') await writeToStdout([`${said}\n`])
}

/** A failure that has more to tell than one line. */
export class CommandFailure extends Error {
  readonly code: string
  /** Lines before the message, for people. */
  readonly lines: readonly string[]
  /** Further members of the error, for machines. */
  readonly more: object

  constructor(code: string, message: string, lines: readonly string[], more: object) {
    super(message)
    this.name = 'CommandFailure'
    this.code = code
    this.lines = lines
    this.more = more
  }
}

/** Says on stderr why a command failed, and answers the exit status: 2 for a wrong call, else 1. */
export function printFailure(error: unknown, json: boolean): 1 | 2 {
  const { code, message, ...more } = describe(error)
  const status = error instanceof UsageError ? 2 : 1
  const lines = error instanceof CommandFailure ? error.lines : []
  const line = status === 2 ? `${message} (${hint((error as UsageError).command)})` : message
  process.stderr.write(
    json ? `${JSON.stringify({ error: { code, message, ...more } })}\n` : `${[...lines, line].map(printable).join('\n')}\n`,
  )
  // A fault of our own comes with where it happened.
  if (!isPlainError(error) && !json) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return status
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof UsageError) return { code: 'wrong_usage', message: error.message }
  if (error instanceof ConfigError) return { code: 'wrong_setting', message: error.message }
  if (error instanceof DomainError && error.code === 'unavailable') return unavailable(error.details.detail ?? error.message)
  if (error instanceof DomainError) {
    const { errors } = error.details
    const told = errors ? Object.values(errors).flat().join(' ') : (operatorWords[error.code] ?? error.message)
    return { code: error.publicCode, message: told, ...(errors && { errors }) }
  }
  if (error instanceof CommandFailure) return { code: error.code, message: error.message, ...error.more }
  // A file that is not there has the same code as a socket that is not there, but a path.
  if (isUnavailable(error) && !(error instanceof Error && 'path' in error)) return unavailable(messageOf(error))
  return { code: 'server_error', message: messageOf(error) }
}

const unavailable = (why: string) => ({ code: 'database_unavailable', message: `the database cannot be reached: ${why}` })

// An operator is refused a team only where there is none; nothing needs to be hidden from them.
const operatorWords: Partial<Record<DomainError['code'], string>> = {
  team_forbidden: 'There is no such team.',
  not_found: 'There is none with this identifier.',
}

/** Text from outside, safe for a terminal: control characters could move its cursor, others the order of what is read. */
export const printable = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '\u{fffd}')

/** Rows under their headings, in columns; a sentence where there are none. */
export function table(headings: readonly string[], rows: readonly (readonly (string | Date | null)[])[]): string {
  if (rows.length === 0) return 'None.'
  const cells = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(cell))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: string | Date | null): string {
  if (value === null) return '–'
  return printable(value instanceof Date ? value.toISOString() : value)
}

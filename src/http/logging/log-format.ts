import { styleText } from 'node:util'
import pino from 'pino'

// Replaces pino-pretty, which would add thirteen packages.

/** A line in the form in which pino writes it. */
interface Line {
  level: number
  time: string
  msg?: string
  err?: { stack?: string }
}

/** Converts a line of JSON to text for a terminal: `12:30:01.500 INFO  request completed status=200`, and below it an error's stack. */
export function formatLine(json: string): string {
  const { level, time, msg = '', err, ...others }: Line = JSON.parse(json)
  const { stack = '', ...details } = err ?? {}
  const fields = Object.entries({ ...others, ...details }).map(([name, value]) => ` ${name}=${textOf(value)}`)
  const label = styled(level, (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5))
  const stackLines = stack.split('\n').filter(Boolean)
  return [
    `${time.slice(11, 23)} ${label} ${printable(msg)}${fields.join('')}`,
    ...stackLines.map((line) => `    ${printable(line)}`),
    '',
  ].join('\n')
}

const styled = (level: number, label: string) => (level < 40 ? label : styleText(level < 50 ? 'yellow' : 'red', label))

const textOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w.~:+/=@{}-]+$/.test(value) ? value : printable(JSON.stringify(value))

/** Returns the text without characters that control a terminal. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')

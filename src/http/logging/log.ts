import { styleText } from 'node:util'
import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from '../../config/settings.ts'
import { currentRequest } from './current-request.ts'
import { createLogDestination } from './log-destination.ts'
import { getTraceId } from './request-fields.ts'

type LogSettings = Pick<Config, 'logLevel' | 'logFormat'>

/**
 * Logs one line per event on standard error: JSON, or text on a terminal. Lines about a request have its id. Standard output is
 * for text that users read.
 */
export function createLog({ logLevel, logFormat }: LogSettings, destination?: DestinationStream): Logger {
  const format = logFormat ?? (process.stderr.isTTY ? 'pretty' : 'json')
  const lines = destination ?? createLogDestination((lost) => log.warn(`${lost} log lines were lost, because they could not be written`))
  const stream = format === 'json' ? lines : { write: (line: string) => lines.write(formatLine(line)) }
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: requestFields }
  const log = pino(options, stream)
  return log
}

function requestFields(): object {
  const { requestId, traceparent } = currentRequest() ?? {}
  return { requestId, traceId: traceparent && getTraceId(traceparent) }
}

// Replaces pino-pretty, which would add thirteen packages.

/** A line in the form in which pino writes it. */
interface Line {
  level: number
  time: string
  msg?: string
  err?: { stack?: string }
}

/** Converts a line of JSON to text for a terminal: `12:30:01.500 INFO  request completed status=200`, and below it an error's stack. */
function formatLine(json: string): string {
  const { level, time, msg = '', err, ...rest }: Line = JSON.parse(json)
  const { stack = '', ...details } = err ?? {}
  const fields = Object.entries({ ...rest, ...details }).map(([name, value]) => ` ${name}=${formatText(value)}`)
  const label = styled(level, (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5))
  const stackLines = stack.split('\n').filter(Boolean)
  return [
    `${time.slice(11, 23)} ${label} ${printable(msg)}${fields.join('')}`,
    ...stackLines.map((line) => `    ${printable(line)}`),
    '',
  ].join('\n')
}

const styled = (level: number, label: string) => (level < 40 ? label : styleText(level < 50 ? 'yellow' : 'red', label))

const formatText = (value: unknown): string =>
  typeof value === 'string' && /^[\w.~:+/=@{}-]+$/.test(value) ? value : printable(JSON.stringify(value))

/** Returns the text without characters that control a terminal. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')

import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from '../../config/settings.ts'
import { currentRequest } from './current-request.ts'
import { createLogDestination } from './log-destination.ts'
import { formatLine } from './log-format.ts'
import { traceIdOf } from './traceparent.ts'

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
  return { requestId, traceId: traceparent && traceIdOf(traceparent) }
}

import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'
import type { Config } from '../../config/settings.ts'
import { currentRequest } from './current-request.ts'
import { formatLine } from './log-format.ts'
import { traceIdOf } from './traceparent.ts'

type LogSettings = Pick<Config, 'logLevel' | 'logFormat'>

/**
 * Logs one line per event on standard error: JSON, or text on a terminal. Lines about a request have its id. Standard output is
 * for text that users read.
 */
export function createLog({ logLevel, logFormat }: LogSettings, destination: DestinationStream = pino.destination(2)): Logger {
  const format = logFormat ?? (process.stderr.isTTY ? 'pretty' : 'json')
  const stream = format === 'json' ? destination : { write: (line: string) => destination.write(formatLine(line)) }
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: requestFields }
  return pino(options, stream)
}

function requestFields(): object {
  const { requestId, traceparent } = currentRequest() ?? {}
  return { requestId, traceId: traceparent && traceIdOf(traceparent) }
}

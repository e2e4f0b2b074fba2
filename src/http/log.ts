import pino from 'pino'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'

/** Logs one line of JSON per event on standard error. Standard output is for text that users read. */
export function createLog(level: Config['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}

import pino from 'pino'
import type { Logger } from 'pino'
import type { Config } from './config.ts'

/** One line of JSON an event, on standard error: standard output is for what a person is told. */
export function createLog(level: Config['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}

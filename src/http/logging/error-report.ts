import type { Logger } from 'pino'
import { isUnavailable, unavailableReason } from '../../../prisma/connection/availability.ts'

type ReportError = (error: unknown, requestId?: string) => void

const outageMilliseconds = 1000

/**
 * Logs errors that a client cannot have caused, with their stack. While the database is unavailable, every request fails for the same few
 * reasons. Each reason is then logged once a second, without a stack, and with its number of occurrences since the previous line.
 */
export function createErrorReport(log: Logger, now: () => number = () => performance.now()): ReportError {
  const outages = new Map<string, { loggedAt: number; unlogged: number }>()
  return (error, requestId) => {
    const request = requestId !== undefined && { requestId }
    if (!isUnavailable(error)) return log.error({ err: error, ...request }, 'unexpected error')
    const reason = unavailableReason(error)
    const before = outages.get(reason)
    if (before && now() - before.loggedAt < outageMilliseconds) return void before.unlogged++
    log.error({ ...request, repeated: before?.unlogged ?? 0 }, `the database is unavailable: ${reason}`)
    // Reasons without recent occurrences are removed, so that their number stays small.
    for (const [each, { loggedAt }] of outages) if (now() - loggedAt > 60 * outageMilliseconds) outages.delete(each)
    outages.set(reason, { loggedAt: now(), unlogged: 0 })
  }
}

/** Returns a function that warns, once for each script, that no font for the characters of an invoice is installed. */
export function createMissingFontReport(log: Logger): (script: string) => void {
  const missing = new Set<string>()
  return (script) => {
    if (!missing.has(script)) log.warn(`an invoice contains ${script} characters, for which no font is installed (npm ci --prefix fonts)`)
    missing.add(script)
  }
}

import type { Logger } from 'pino'
import type { Ports } from '../../schema/core/ports.ts'
import { checkDomains } from '../../schema/domains/periodic-check.ts'
import { recordTimedEvents } from '../../schema/events/record-timed-events.ts'
import { announceInvoices } from '../../schema/invoices/announcements.ts'
import { announceExpiringTokens } from '../../schema/tokens/expiry-notices.ts'
import { attendToFailing } from '../../schema/webhooks/failing.ts'
import { everyMinute } from '../jobs/every-minute.ts'
import type { RetentionSettings } from '../jobs/retention.ts'
import { createWebhookDeliveries } from '../webhooks/deliveries.ts'
import { createCleanup } from './cleanup.ts'

interface BackgroundParts extends Pick<Ports, 'database' | 'now' | 'sendMail' | 'outgoing' | 'deriveSecret'> {
  /** Identifier of the process, new at each start. */
  worker: string
  retention: RetentionSettings
  log: Logger
}

/** Work that the processes of the service do without a request. */
export function createBackground({ worker, retention, log, ...ports }: BackgroundParts) {
  const { database, now } = ports
  const reporting = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed`)
  const repeat = (name: string, what: string, task: () => Promise<number>) => everyMinute({ name, database, report: reporting(what) }, task)
  const deliveries = createWebhookDeliveries({ ...ports, worker, report: reporting('delivering events') })
  const works = [
    createCleanup({ database, now, retention, report: reporting('cleanup') }),
    repeat('token-expiry', 'announcing expiring tokens', () => announceExpiringTokens(ports)),
    repeat('invoice-mails', 'announcing invoices', () => announceInvoices(ports)),
    repeat('timed-events', 'recording timed events', () => recordTimedEvents(database.pool, now())),
    repeat('failing-webhooks', 'attending to failing webhooks', () => attendToFailing(ports)),
    repeat('domains', 'checking domains', () => checkDomains(ports)),
    deliveries,
  ]
  return {
    start: () => works.forEach((work) => work.start()),
    /** Runs all of the work once. For tests. */
    async run(): Promise<void> {
      for (const work of works) await work.run()
    },
    readWebhookTotals: deliveries.readTotals,
    async close(): Promise<void> {
      await Promise.all(works.map((work) => work.close()))
    },
  }
}

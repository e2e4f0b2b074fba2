import type { Logger } from 'pino'
import type { Ports } from '../../schema/core/context.ts'
import { createInvoiceMails } from '../jobs/invoice-mails.ts'
import type { RetentionSettings } from '../jobs/retention.ts'
import { createTimedEvents } from '../jobs/timed-events.ts'
import { createTokenExpiry } from '../jobs/token-expiry.ts'
import { createWebhookDeliveries } from '../webhooks/deliveries.ts'
import { createCleanup } from './cleanup.ts'

interface BackgroundParts extends Pick<Ports, 'database' | 'now' | 'sendMail' | 'outgoing' | 'deriveSecret'> {
  retention: RetentionSettings
  log: Logger
}

/** What the processes of the service do without a request. */
export function createBackground({ retention, log, ...ports }: BackgroundParts) {
  const reporting = (what: string) => ({ ...ports, report: (error: unknown) => log.error({ err: error }, `${what} failed`) })
  const works = [
    createCleanup({ ...reporting('cleanup'), retention }),
    createTokenExpiry(reporting('announcing expiring tokens')),
    createInvoiceMails(reporting('announcing invoices')),
    createTimedEvents(reporting('recording timed events')),
    createWebhookDeliveries(reporting('delivering events')),
  ]
  return {
    start: () => works.forEach((work) => work.start()),
    async close(): Promise<void> {
      await Promise.all(works.map((work) => work.close()))
    },
  }
}

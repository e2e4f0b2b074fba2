import { isUnavailable } from '../../prisma/connection/availability.ts'
import type { Ports } from '../../schema/core/context.ts'
import { announceInvoices, isFullBatch } from '../../schema/invoices/announcements.ts'
import { everyMinute } from './every-minute.ts'
import type { PeriodicWork } from './every-minute.ts'

interface InvoiceMailsPorts extends Pick<Ports, 'database' | 'now' | 'sendMail'> {
  report(error: unknown): void
}

/** Queues, every minute, the mails about new and overdue invoices. A run returns how many batches it queued. */
export const createInvoiceMails = ({ report, ...ports }: InvoiceMailsPorts): PeriodicWork<number> =>
  everyMinute({ name: 'invoice-mails', database: ports.database, report }, async (isClosing) => {
    let batches = 0
    try {
      do batches++
      while (isFullBatch(await announceInvoices(ports)) && !isClosing())
    } catch (error) {
      // Requests report an unavailable database already.
      if (!isUnavailable(error)) report(error)
    }
    return batches
  })

import type { OpenDatabase } from '../../../../prisma/connection/database.ts'
import type { Invoice, InvoiceLine, Team } from '../../../../prisma/generated/client/client.ts'
import { unique } from '../team.ts'

export type StoredInvoice = Invoice & { lines: InvoiceLine[] }

/** Creates an invoice with one line per amount in minor units; one line of 1,000 by default. */
export function createInvoice(
  { prisma }: OpenDatabase,
  team: Team,
  data: Partial<Invoice> = {},
  amounts: number[] = [1000],
): Promise<StoredInvoice> {
  const lines = amounts.map((amount, position) => ({ position, description: `Line ${position}`, quantity: 1, unitAmount: BigInt(amount) }))
  const subtotal = BigInt(amounts.reduce((sum, amount) => sum + amount, 0))
  const invoice = {
    number: unique('INV'),
    status: 'open' as const,
    currency: 'eur',
    invoiceDate: new Date('2026-01-31'),
    subtotal,
    ...data,
  }
  return prisma.invoice.create({
    data: { teamId: team.id, ...invoice, lines: { create: lines } },
    include: { lines: { orderBy: { position: 'asc' } } },
  })
}

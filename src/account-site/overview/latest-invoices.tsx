import { Day } from '../../web/components/time.tsx'
import type { OverviewQuery } from '../generated/operations.ts'
import { InvoiceStatus } from '../invoices/invoice-status.tsx'
import { formatMoney } from '../../web/money.ts'

type Invoice = NonNullable<OverviewQuery['billed']>['invoices']['nodes'][number]

interface LatestInvoicesProps {
  /** Path of the team. */
  path: string
  invoices: readonly Invoice[]
}

/** The latest invoices, for members who pay them. */
export const LatestInvoices = ({ path, invoices }: LatestInvoicesProps) => (
  <section aria-labelledby="invoices">
    <h2 id="invoices">Latest invoices</h2>
    {invoices.length === 0 ? (
      <p class="empty">Invoices appear here when the team is billed for a product.</p>
    ) : (
      <>
        <ul class="entries">
          {invoices.map((invoice) => (
            <li class="linked">
              <span>
                <a href={`${path}/invoices/${invoice.id}`}>
                  <bdi>{invoice.number}</bdi>
                </a>{' '}
                <span class="about">
                  <Dates invoice={invoice} />
                </span>
              </span>
              <span class="amounts">
                <InvoiceStatus {...invoice} /> <span class="amount">{formatMoney(invoice.total, invoice.currency)}</span>
              </span>
            </li>
          ))}
        </ul>
        <p>
          <a href={`${path}/invoices`}>All invoices</a>
        </p>
      </>
    )}
  </section>
)

/** The due date of an invoice, or the date on which it was issued. */
const Dates = ({ invoice: { status, dueDate, invoiceDate } }: { invoice: Invoice }) =>
  status === 'OPEN' && dueDate !== null ? (
    <>
      Due on <Day at={dueDate} />
    </>
  ) : (
    <Day at={invoiceDate} />
  )

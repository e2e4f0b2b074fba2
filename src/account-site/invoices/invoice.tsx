import type { ComponentChildren } from 'preact'
import { download } from '../framework/download.ts'
import { page } from '../framework/page.ts'
import { InvoiceDocument } from '../generated/operations.ts'
import type { InvoiceQuery } from '../generated/operations.ts'
import { Name } from '../../web/components/name.tsx'
import { Day, useTimes } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { LinesTable } from './lines-table.tsx'
import { productName } from '../labels.ts'
import { InvoiceStatus } from './invoice-status.tsx'
import { formatPeriod, markOf } from './labels.ts'

type Team = InvoiceQuery['team']

const variablesOf = (ctx: PageContext) => ({ team: ctx.param('team'), id: ctx.param('invoice') })

/** An invoice with its lines. The page has a print style. */
export const invoice = page({
  path: '/teams/:team/invoices/:invoice',
  title: ({ team }) => `Invoice ${team.invoice.number}`,
  parent: '/teams/:team/invoices',
  document: InvoiceDocument,
  variables: variablesOf,
  view: ({ team }, ctx) => (
    <>
      <section aria-label="About this invoice">
        <Mark {...team.invoice} />
        <Facts {...team} />
      </section>
      <section aria-labelledby="lines">
        <h2 id="lines">Lines</h2>
        <LinesTable {...team.invoice} />
      </section>
      <p class="pages screen">
        <a href={`${ctx.path}/invoice.pdf`}>Download as PDF</a>
        <a href={ctx.path.slice(0, ctx.path.lastIndexOf('/'))}>All invoices</a>
      </p>
    </>
  ),
})

// Loaded with its fonts when the first PDF is requested: that takes a tenth of the time of a start.
const loadPdf = () => import('./pdf/invoice-pdf.ts')

/** The invoice as a PDF file. */
export const invoiceFile = download({
  path: '/teams/:team/invoices/:invoice/invoice.pdf',
  document: InvoiceDocument,
  variables: variablesOf,
  file: async ({ team }, { site }) => {
    const { invoicePdf } = await loadPdf()
    return {
      name: fileName(team.invoice.number),
      type: 'application/pdf',
      body: await invoicePdf(team, site.issuer, site.reportMissingFont),
    }
  },
})

/** Replaces characters of the invoice number that could name another folder or hide the file's extension. */
const fileName = (number: string) =>
  `Invoice ${number
    .replace(/[\p{C}/\\:*?"<>|]+/gu, '-')
    .slice(0, 100)
    .toWellFormed()}.pdf`

const Mark = (invoice: Team['invoice']) => {
  const mark = markOf(invoice)
  return mark && <p class="mark">{mark}</p>
}

const Facts = ({ name, invoice }: Team) => (
  <dl class="facts">
    <Fact label="Bill to">
      <Name>{name}</Name>
    </Fact>
    <Fact label="Status">
      <InvoiceStatus status={invoice.status} isOverdue={invoice.isOverdue} />
    </Fact>
    <Fact label="Invoice date">
      <Day at={invoice.invoiceDate} />
    </Fact>
    {invoice.dueDate && (
      <Fact label="Due">
        <Day at={invoice.dueDate} />
      </Fact>
    )}
    {invoice.paidAt && (
      <Fact label="Paid">
        <Day at={invoice.paidAt} />
      </Fact>
    )}
    {formatPeriod(invoice) && <Fact label="Period">{formatPeriod(invoice, useTimes())}</Fact>}
    <Fact label="Product">{productName(invoice.appId)}</Fact>
  </dl>
)

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

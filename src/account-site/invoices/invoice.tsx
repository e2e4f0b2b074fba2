import type { ComponentChildren } from 'preact'
import { download } from '../framework/download.ts'
import { page } from '../framework/page.ts'
import { InvoiceDocument } from '../generated/operations.ts'
import { Name } from '../../web/components/address.tsx'
import { Day, useTimes } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { listFacts, listParties, listPaymentLines, formatTitle, listTotals } from './content.ts'
import type { PrintedInvoice, PrintedTeam } from './content.ts'
import { fileName } from './file-name.ts'
import { InvoiceStatus } from './invoice-status.tsx'
import { LinesTable } from './lines-table.tsx'

const buildVariables = (ctx: PageContext) => ({ team: ctx.param('team'), id: ctx.param('invoice') })

/** An invoice with its lines. The page has a print style. */
export const invoice = page({
  path: '/teams/:team/invoices/:invoice',
  title: ({ team }) => formatTitle(team.invoice),
  badge: ({ team }) => <InvoiceStatus {...team.invoice} />,
  parent: '/teams/:team/invoices',
  document: InvoiceDocument,
  variables: buildVariables,
  view: ({ team }, ctx) => (
    <>
      <About team={team} ctx={ctx} />
      <section aria-labelledby="lines">
        <h2 id="lines">Items</h2>
        <LinesTable {...team.invoice} />
      </section>
    </>
  ),
})

// The module and its fonts are loaded when the first PDF is requested, because that takes a tenth of the start-up time.
const loadPdf = () => import('./pdf/invoice-pdf.ts')

/** The invoice as a PDF file. */
export const invoiceFile = download({
  path: '/teams/:team/invoices/:invoice/invoice.pdf',
  document: InvoiceDocument,
  variables: buildVariables,
  file: async ({ team }, { site }) => {
    const { invoicePdf } = await loadPdf()
    return {
      name: fileName(team.invoice),
      type: 'application/pdf',
      body: await invoicePdf(team, site.brand, site.reportMissingFont),
    }
  },
})

const About = ({ team, ctx }: { team: PrintedTeam; ctx: PageContext }) => (
  <section class="invoice-head" aria-label="About this invoice">
    <MainAmount invoice={team.invoice} />
    <PaymentFacts invoice={team.invoice} ctx={ctx} />
    <dl class="facts">
      {listParties(team, ctx.site.brand).map(({ label, lines: [name, ...others] }) => (
        <Fact label={label}>
          <dd>
            <Name>{name ?? ''}</Name>
          </dd>
          {others.map((line) => (
            <dd>{line}</dd>
          ))}
        </Fact>
      ))}
    </dl>
    <dl class="facts">
      {/* The title has the status. */}
      {listFacts(team.invoice, useTimes()).map(
        (fact) =>
          fact.kind !== 'status' &&
          !fact.isPayment && (
            <Fact label={fact.label}>
              <dd>{fact.kind === 'day' ? <Day at={fact.value} /> : fact.value}</dd>
            </Fact>
          ),
      )}
    </dl>
    {!ctx.supportSession && (
      <a class="button" href={`${ctx.path}/invoice.pdf`}>
        Download PDF
      </a>
    )}
  </section>
)

/** When the amount is due or was paid, and how to pay it. */
function PaymentFacts({ invoice, ctx }: { invoice: PrintedInvoice; ctx: PageContext }) {
  const days = listFacts(invoice).flatMap((fact) => (fact.kind === 'day' && fact.isPayment ? [fact] : []))
  const lines = listPaymentLines(invoice, ctx.site.brand)
  if (days.length === 0 && lines.length === 0) return null
  return (
    <dl class="facts">
      {days.map(({ label, value }) => (
        <Fact label={label}>
          <dd>
            <Day at={value} />
          </dd>
        </Fact>
      ))}
      {lines.length > 0 && (
        <Fact label="Payment">
          {lines.map((line) => (
            <dd>{line}</dd>
          ))}
        </Fact>
      )}
    </dl>
  )
}

/** The amount due, or the total if nothing is due. */
function MainAmount({ invoice }: { invoice: PrintedInvoice }) {
  const isMainAmount = ({ isMain }: { isMain?: true }) => isMain
  const totals = listTotals(invoice)
  const main = invoice.amountDue > 0 ? totals.findLast(isMainAmount) : totals.find(isMainAmount)
  return (
    <p class="screen">
      {main?.label} <span class="figure">{main?.amount}</span>
    </p>
  )
}

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    {children}
  </div>
)

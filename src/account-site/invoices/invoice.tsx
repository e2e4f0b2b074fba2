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
  parent: '/teams/:team/invoices',
  document: InvoiceDocument,
  variables: buildVariables,
  view: ({ team }, ctx) => (
    <>
      <About team={team} ctx={ctx} />
      <section aria-labelledby="lines">
        <h2 id="lines">Lines</h2>
        <LinesTable {...team.invoice} />
      </section>
      <Payment lines={listPaymentLines(team.invoice, ctx.site.brand)} />
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
      {listFacts(team.invoice, useTimes()).map((fact) => (
        <Fact label={fact.label}>
          <dd>
            {fact.kind === 'status' ? <InvoiceStatus {...team.invoice} /> : fact.kind === 'day' ? <Day at={fact.value} /> : fact.value}
          </dd>
        </Fact>
      ))}
    </dl>
    <a class="button" href={`${ctx.path}/invoice.pdf`}>
      Download PDF
    </a>
  </section>
)

/** The amount due, or the total if nothing can be due. */
function MainAmount({ invoice }: { invoice: PrintedInvoice }) {
  const main = listTotals(invoice).findLast(({ isMain }) => isMain)
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

function Payment({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      <p>{lines.flatMap((line, index) => (index === 0 ? [line] : [<br />, line]))}</p>
    </section>
  )
}

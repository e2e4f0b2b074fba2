import type { ComponentChildren } from 'preact'
import { download, page } from '../declaration.ts'
import { InvoiceDocument } from '../generated/operations.ts'
import type { InvoiceQuery } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { Day } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { LinesTable } from './lines-table.tsx'
import { invoicePdf } from './pdf/invoice-pdf.ts'
import { appNames } from '../words.ts'
import { periodOf, statusWords } from './words.ts'

type Team = InvoiceQuery['team']

const asked = (visit: Visit) => ({ team: visit.param('team'), id: visit.param('invoice') })

/** One invoice with its lines, as it is printed too. */
export const invoice = page({
  path: '/teams/:team/invoices/:invoice',
  title: ({ team }) => `Invoice ${team.invoice.number}`,
  document: InvoiceDocument,
  variables: asked,
  view: ({ team }, visit) => (
    <>
      <section aria-label="About this invoice">
        <Facts {...team} />
      </section>
      <section aria-labelledby="lines">
        <h2 id="lines">Lines</h2>
        <LinesTable {...team.invoice} />
      </section>
      <p class="pages screen">
        <a href={`${visit.path}/invoice.pdf`}>Download as PDF</a>
        <a href={visit.path.slice(0, visit.path.lastIndexOf('/'))}>All invoices</a>
      </p>
    </>
  ),
})

/** The same as a file. */
export const invoiceFile = download({
  path: '/teams/:team/invoices/:invoice/invoice.pdf',
  document: InvoiceDocument,
  variables: asked,
  file: async ({ team }) => ({ name: fileName(team.invoice.number), type: 'application/pdf', body: await invoicePdf(team) }),
})

/** A number may have any characters: none of them is to lead to another folder, or hide what the file is. */
const fileName = (number: string) =>
  `Invoice ${number
    .replace(/[\p{C}/\\:*?"<>|]+/gu, '-')
    .slice(0, 100)
    .toWellFormed()}.pdf`

const Facts = ({ name, invoice }: Team) => (
  <dl class="facts">
    <Fact label="Team">
      <Name>{name}</Name>
    </Fact>
    <Fact label="Status">{statusWords[invoice.status]}</Fact>
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
    {periodOf(invoice) && <Fact label="Period">{periodOf(invoice)}</Fact>}
    {invoice.appId && <Fact label="Application">{appNames[invoice.appId]}</Fact>}
  </dl>
)

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

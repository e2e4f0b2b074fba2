import { z } from 'zod'
import { applicationId } from '../../schema/apps/application.ts'
import { route } from '../route.ts'
import type { Input } from '../variables.ts'
import { pageQuery } from '../query.ts'

const tag = 'Invoices'
const line = `id: lineId app_id: appId description quantity unit_amount: unitAmount amount currency period_start: periodStart period_end: periodEnd`
const invoice = `id: invoiceId number app_id: appId status currency subtotal tax total amount_due: amountDue amount_paid: amountPaid
  invoice_date: invoiceDate due_date: dueDate paid_at: paidAt period_start: periodStart period_end: periodEnd
  lines @include(if: $withLines) { ${line} }`

const expand = z
  .array(z.enum(['lines']))
  .optional()
  .describe('Related data to include: `lines` are the invoice lines.')
const computed = { withLines: ({ expand }: Input) => Array.isArray(expand) && expand.includes('lines') }

export const invoiceRoutes = [
  route({
    operationId: 'v1.teams.invoices.index',
    tool: 'list_invoices',
    method: 'get',
    path: '/v1/teams/{teamSlug}/invoices',
    tag,
    summary: 'List invoices',
    description: 'Lists all invoices issued to a team, by invoice date.',
    query: z.object({
      ...pageQuery,
      app_id: applicationId.optional().describe('Only invoices of this product.'),
      sort: z.enum(['asc', 'desc']).default('desc').describe('Direction of the invoice date: desc is newest first.'),
      expand,
    }),
    computed,
    document: `query ($teamSlug: String!, $page: Int, $perPage: Int, $appId: Application, $sort: SortDirection! = DESC, $withLines: Boolean!) {
      team(slug: $teamSlug) {
        invoices(page: $page, perPage: $perPage, appId: $appId, orderBy: { field: DATE, direction: $sort }) { nodes { ${invoice} } total page perPage }
      }
    }`,
    response: { kind: 'page', at: 'team.invoices' },
  }),
  route({
    operationId: 'v1.teams.invoices.show',
    tool: 'get_invoice',
    method: 'get',
    path: '/v1/teams/{teamSlug}/invoices/{invoiceId}',
    tag,
    summary: 'Show an invoice',
    description: 'Retrieves one invoice.',
    query: z.object({ expand }),
    computed,
    document: `query ($teamSlug: String!, $invoiceId: ID!, $withLines: Boolean!) { team(slug: $teamSlug) { invoice(id: $invoiceId) { ${invoice} } } }`,
    response: { kind: 'resource', at: 'team.invoice' },
  }),
]

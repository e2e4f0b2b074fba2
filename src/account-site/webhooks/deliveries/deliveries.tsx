import { deliveryDays } from '../../../../schema/webhooks/rules.ts'
import { EmptyList, PageLinks, readPageNumber } from '../../../web/components/lists/page-links.tsx'
import { RelativeTime } from '../../../web/components/time.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import type { DeliveryPartsFragment, WebhookDeliveryResult, WebhookQuery } from '../../generated/operations.ts'
import { addressWith, readFilterValue } from '../../table/address.ts'
import { defineTable } from '../../table/declaration.ts'
import { Rows } from '../../table/rows.tsx'
import { formatLatency, formatResponse, DeliveryResult } from './delivery-parts.tsx'
import { eventName } from '../event-names.ts'

type Delivery = DeliveryPartsFragment

const filter = { label: 'Result', options: { DELIVERED: 'Delivered', FAILED: 'Failed' } } as const

/** Returns the variables of the list in the address of the page. */
export function deliveriesVariables({ query }: PageContext): { page: number; result: WebhookDeliveryResult | null } {
  const value = readFilterValue(filter, query, 'result')
  return { page: readPageNumber(query), result: value === 'DELIVERED' || value === 'FAILED' ? value : null }
}

const table = defineTable({
  noun: ['delivery', 'deliveries'],
  getName: ({ type, attempt }: Delivery) => `attempt ${attempt} of ${eventName(type)}`,
  filters: {},
  columns: [
    {
      label: 'Event',
      phone: 'name',
      cell: ({ deliveryId, type, isTest }, { path }) => (
        <>
          <a href={`${path}/deliveries/${deliveryId}`}>
            <code>{eventName(type)}</code>
          </a>
          {isTest && (
            <>
              {' '}
              <span class="badge">Test</span>
            </>
          )}
        </>
      ),
    },
    { label: 'Result', phone: 'state', cell: (delivery) => <DeliveryResult {...delivery} /> },
    { label: 'Response', phone: 'state', cell: (delivery) => <span class="reason">{formatResponse(delivery)}</span> },
    { label: 'Attempt', phone: 'detail', cell: ({ attempt }) => attempt },
    { label: 'Time', phone: 'name', cell: ({ at }) => <RelativeTime at={at} /> },
    { label: 'Duration', phone: 'detail', kind: 'amount', cell: (delivery) => formatLatency(delivery) },
  ],
  sort: 'TIME',
  empty: `Events of the last ${deliveryDays} days appear here, with the responses of your endpoint.`,
})

/** The attempts to deliver events to a webhook, the latest first. */
export const Deliveries = ({ list, ctx }: { list: WebhookQuery['team']['webhook']['deliveries']; ctx: PageContext }) => {
  const { result } = deliveriesVariables(ctx)
  return (
    <section class="data" id="deliveries" aria-labelledby="rows">
      <div class="heading">
        <h2 id="rows">Deliveries</h2>
        <nav class="links" aria-label="Result">
          {['', ...Object.keys(filter.options)].map((value) => (
            <a
              href={`${addressWith(ctx.path, ctx.query, { result: value })}#deliveries`}
              aria-current={value === (result ?? '') ? 'true' : undefined}
            >
              {value === '' ? 'All' : filter.options[value === 'FAILED' ? 'FAILED' : 'DELIVERED']}
            </a>
          ))}
        </nav>
        <div class="links">
          <a href={`${addressWith(ctx.path, ctx.query, { result: result ?? '' })}#deliveries`}>Refresh</a>
        </div>
      </div>
      {list.nodes.length > 0 ? (
        <Rows table={table} ctx={ctx} nodes={list.nodes} />
      ) : (
        <EmptyList isBeyond={list.total > 0}>
          {result === null ? table.empty : `There are no deliveries with this result in the last ${deliveryDays} days.`}
        </EmptyList>
      )}
      <PageLinks label="Pages of deliveries" path={ctx.path} query={ctx.query} list={list} />
    </section>
  )
}

import { STATUS_CODES } from 'node:http'
import type { ComponentChildren } from 'preact'
import { Fact, Facts } from '../../../web/components/facts.tsx'
import type { DeliveryPartsFragment } from '../../generated/operations.ts'

type Delivery = DeliveryPartsFragment

export const DeliveryResult = ({ result }: Pick<Delivery, 'result'>) =>
  result === 'DELIVERED' ? <span class="badge good">Delivered</span> : <span class="badge alert">Failed</span>

/** Returns a text such as `503 Service Unavailable`. Codes that no standard defines are shown alone. */
const formatStatus = (status: number): string => [status, STATUS_CODES[status]].filter(Boolean).join(' ')

/** Returns the status of the endpoint's response, or the reason why there was none. */
export const formatResponse = ({ status, error }: Pick<Delivery, 'status' | 'error'>): string =>
  status === null ? (error ?? 'No response').replace(/\.$/, '') : formatStatus(status)

export const formatLatency = ({ latencyMilliseconds: milliseconds }: Pick<Delivery, 'latencyMilliseconds'>): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`

/** The result of an attempt. */
export const ResultFacts = ({ delivery, children }: { delivery: Delivery; children?: ComponentChildren }) => (
  <Facts isNarrow>
    <Fact name="Result">
      <DeliveryResult {...delivery} />
    </Fact>
    <Fact name="Status code">{delivery.status === null ? 'None' : formatStatus(delivery.status)}</Fact>
    <Fact name="Duration">{formatLatency(delivery)}</Fact>
    {children}
  </Facts>
)

/** The response of an endpoint, or the reason why there was none. */
export const DeliveryResponse = ({ error, responseBody }: { error: string | null; responseBody: string | null }) => (
  <>
    {error !== null && <p class="alert">{error}</p>}
    {responseBody !== null && <Text label="Response body">{responseBody}</Text>}
  </>
)

/** A text in the form in which it was sent or received. */
export const Text = ({ label, children }: { label: string; children: string }) => (
  <div class="sent">
    <h3>{label}</h3>
    {children === '' ? (
      <p class="empty">Empty</p>
    ) : (
      <pre tabIndex={0} role="region" aria-label={label}>
        {children}
      </pre>
    )}
  </div>
)

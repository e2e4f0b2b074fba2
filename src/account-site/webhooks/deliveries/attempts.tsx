import { DateTime } from '../../../web/components/time.tsx'
import { Table } from '../../../web/components/lists/table.tsx'
import type { WebhookDeliveryQuery } from '../../generated/operations.ts'
import { DeliveryResult, formatLatency, formatResponse } from './delivery-parts.tsx'

interface AttemptsProps {
  delivery: WebhookDeliveryQuery['team']['webhook']['delivery']
  /** Path of the webhook. */
  path: string
}

/** All attempts to deliver the event, the latest first, and the time of the next one. */
export const Attempts = ({ delivery: { deliveryId: current, attempts, nextAttemptAt }, path }: AttemptsProps) => (
  <section>
    <h2 id="attempts">Attempts</h2>
    <Table labelledBy="attempts">
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">Time</th>
          <th scope="col">Result</th>
          <th scope="col">Response</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <tr>
            <th scope="row">
              {attempt.deliveryId === current ? (
                `${attempt.attempt} (this page)`
              ) : (
                <a href={`${path}/deliveries/${attempt.deliveryId}`}>Attempt {attempt.attempt}</a>
              )}
            </th>
            <td data-label="Time">
              <DateTime at={attempt.at} />
            </td>
            <td data-label="Result">
              <DeliveryResult {...attempt} />
            </td>
            <td data-label="Response">{formatResponse(attempt)}</td>
            <td data-label="Duration">{formatLatency(attempt)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
    <p>
      {nextAttemptAt === null ? (
        'No further attempt is planned.'
      ) : (
        <>
          The next attempt is at <DateTime at={nextAttemptAt} />.
        </>
      )}
    </p>
  </section>
)

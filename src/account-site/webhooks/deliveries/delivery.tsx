import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { Button, Buttons } from '../../../web/components/forms/button.tsx'
import { Form } from '../../../web/components/forms/form.tsx'
import { Fact } from '../../../web/components/facts.tsx'
import { DateTime } from '../../../web/components/time.tsx'
import { form } from '../../framework/form.ts'
import { siteOperation } from '../../framework/operation.ts'
import type { PageContext } from '../../framework/page-context.ts'
import { page } from '../../framework/page.ts'
import { RedeliverDocument, WebhookAttemptsDocument, WebhookDeliveryDocument } from '../../generated/operations.ts'
import type { WebhookDeliveryQuery } from '../../generated/operations.ts'
import { Attempts } from './attempts.tsx'
import { DeliveryResponse, ResultFacts, Text } from './delivery-parts.tsx'
import { eventName } from '../event-names.ts'
import { getWebhookName, Url } from '../webhook-state.tsx'
import { webhooksPath } from '../webhooks.tsx'

type Delivery = WebhookDeliveryQuery['team']['webhook']['delivery']

const getWebhookPath = (ctx: PageContext) => `/teams/${ctx.param('team')}/webhooks/${ctx.param('webhook')}`

const attempts = siteOperation(WebhookAttemptsDocument)

const maxLooks = 8
const lookMilliseconds = 250

/** Waits at most two seconds for the attempt that follows a redelivery. Returns undefined if there is none until then. */
async function newAttempt(ctx: PageContext): Promise<string | undefined> {
  const delivery = ctx.param('delivery')
  // The attempt can end before this search starts.
  const since = ctx.site.now().getTime() - 1000
  for (let look = 0; look < maxLooks; look++) {
    await pause(lookMilliseconds)
    const { team } = await attempts.run({ team: ctx.param('team'), webhook: ctx.param('webhook'), delivery }, ctx)
    const eventId = team.webhook.delivery.event?.eventId
    const redelivery = team.webhook.deliveries.nodes.find(
      ({ deliveryId, at, event }) => deliveryId !== delivery && Date.parse(at) >= since && event?.eventId === eventId,
    )
    if (redelivery) return redelivery.deliveryId
  }
  return undefined
}

const redeliver = form({
  fields: z.object({}),
  document: RedeliverDocument,
  variables: (_, ctx) => ({ input: { deliveryId: ctx.param('delivery') } }),
  async onSuccess(_, ctx) {
    const attempt = await newAttempt(ctx)
    return attempt === undefined
      ? { notice: 'The event is being delivered again. Refresh the deliveries to see the attempt.', path: getWebhookPath(ctx) }
      : { notice: 'The event was sent again. This page shows the new attempt.', path: `${getWebhookPath(ctx)}/deliveries/${attempt}` }
  },
})

/** One attempt to deliver an event: its request and its response. */
export const delivery = page({
  path: `${webhooksPath}/:webhook/deliveries/:delivery`,
  title: ({ team }) => `Delivery of ${eventName(team.webhook.delivery.type)}`,
  parent: webhooksPath,
  above: ({ team: { webhook } }, ctx) => [{ path: getWebhookPath(ctx), label: getWebhookName(webhook) }],
  document: WebhookDeliveryDocument,
  variables: (ctx) => ({ team: ctx.param('team'), webhook: ctx.param('webhook'), delivery: ctx.param('delivery') }),
  forms: { redeliver },
  view: ({ team: { webhook } }, ctx) => (
    <>
      <section>
        <p>
          To{' '}
          <a href={getWebhookPath(ctx)}>
            <Url>{webhook.url}</Url>
          </a>
        </p>
        <ResultFacts delivery={webhook.delivery}>
          <Fact name="Time">
            <DateTime at={webhook.delivery.at} />
          </Fact>
          <Fact name="Attempt">{webhook.delivery.isTest ? 'Test event' : webhook.delivery.attempt}</Fact>
        </ResultFacts>
        {webhook.delivery.isTest ? (
          <p>
            <a class="button second" href={`${getWebhookPath(ctx)}/test`}>
              Send another test event
            </a>
          </p>
        ) : (
          <Form name="redeliver">
            <Buttons>
              <Button>Redeliver</Button>
            </Buttons>
          </Form>
        )}
      </section>
      <section>
        <h2>Response</h2>
        <DeliveryResponse {...webhook.delivery} />
      </section>
      {!webhook.delivery.isTest && <Attempts delivery={webhook.delivery} path={getWebhookPath(ctx)} />}
      <Request delivery={webhook.delivery} />
    </>
  ),
})

/** The request, built from the event in its current state. */
const Request = ({ delivery: { requestHeaders, signature, requestBody } }: { delivery: Delivery }) => (
  <section>
    <h2>Request</h2>
    {requestBody === null ? (
      <p class="empty">The audit log no longer contains the event.</p>
    ) : (
      <>
        <Text label="Header fields">
          {headerLines({ ...requestHeaders, ...(signature !== null && { 'webhook-signature': signature }) })}
        </Text>
        <Text label="Body">{JSON.stringify(JSON.parse(requestBody), null, 2)}</Text>
        <p class="hint">
          This is what a redelivery would send now. The body is sent without line breaks.{' '}
          {signature === null && 'The signature of this attempt is no longer known, because the secret was rotated.'}
        </p>
      </>
    )}
  </section>
)

const headerLines = (headers: Readonly<Record<string, unknown>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')

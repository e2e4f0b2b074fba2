import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { WebhookDocument } from '../generated/operations.ts'
import type { WebhookDisabledReason, WebhookPartsFragment } from '../generated/operations.ts'
import { Deliveries, deliveriesVariables } from './deliveries/deliveries.tsx'
import { ReplaySection } from './deliveries/replay.tsx'
import { eventName } from './event-names.ts'
import { deliveryForms } from './webhook-forms.ts'
import { webhookPage, webhookPath } from './webhook-page.tsx'
import { DeliveryHealth, getWebhookName, Url } from './webhook-state.tsx'

type Webhook = WebhookPartsFragment

/** A webhook: its state and its deliveries. */
export const webhook = page({
  ...webhookPage,
  path: webhookPath,
  document: WebhookDocument,
  variables: (ctx) => ({ ...webhookPage.variables(ctx), ...deliveriesVariables(ctx) }),
  forms: deliveryForms,
  view: ({ team: { webhook } }, ctx) => (
    <>
      <StateSection webhook={webhook} />
      <Deliveries list={webhook.deliveries} ctx={ctx} />
      <ReplaySection failingSince={webhook.failingSince} ctx={ctx} />
    </>
  ),
})

const StateSection = ({ webhook }: { webhook: Webhook }) => (
  <section>
    {getWebhookName(webhook) !== webhook.url.replace(/^https:\/\//, '') && (
      <p>
        <strong>
          <Url>{webhook.url}</Url>
        </strong>
      </p>
    )}
    <Facts>
      <Fact name="Last 24 hours">
        <DeliveryHealth {...webhook} />
      </Fact>
      <Fact name="Events">{eventsText(webhook)}</Fact>
      <Fact name="Created">
        <RelativeTime at={webhook.createdAt} />
      </Fact>
    </Facts>
    {webhook.state === 'FAILING' && webhook.failingSince !== null && <Failing since={webhook.failingSince} />}
    {webhook.state === 'DISABLED' && <Disabled webhook={webhook} />}
  </section>
)

const maxNames = 3
const eventsText = ({ types }: Webhook) =>
  types.length === 0 ? 'All events' : types.length <= maxNames ? types.map(eventName).join(', ') : `${types.length} selected events`

const failingMilliseconds = 3 * 86_400_000

const Failing = ({ since }: { since: string }) => (
  <p class="caution">
    No delivery has succeeded since <DateTime at={since} />. Events that failed are delivered again, at increasing intervals. The webhook is
    disabled if nothing succeeds until <DateTime at={new Date(Date.parse(since) + failingMilliseconds)} /> and at least 10 events have
    failed. Check the responses below, correct your endpoint, and send a test event.
  </p>
)

const reasons: Record<WebhookDisabledReason, string> = {
  REQUEST: 'The webhook was disabled manually.',
  FAILING: 'No delivery had succeeded for three days. Correct your endpoint and send a test event before you enable the webhook again.',
  GONE: 'The endpoint responded with 410 Gone, which means that it no longer accepts events.',
}

const Disabled = ({ webhook: { disabledAt, disabledReason } }: { webhook: Webhook }) => (
  <>
    <p class={disabledReason === 'REQUEST' ? 'caution' : 'alert'}>
      No events have been delivered since <DateTime at={disabledAt} />. {disabledReason && reasons[disabledReason]}
    </p>
    <Form name="enable">
      <Choices
        name="continueFrom"
        legend="Enable again and continue"
        type="radio"
        options={[
          {
            value: 'STOPPED',
            label: 'With the first event that was not delivered',
            hint: 'All events since then are delivered.',
          },
          {
            value: 'PRESENT',
            label: 'From now on',
            hint: 'Events that happened in the meantime are not delivered, unless you replay them.',
          },
        ]}
        checked={['STOPPED']}
      />
      <Buttons>
        <Button>Enable webhook</Button>
      </Buttons>
    </Form>
  </>
)

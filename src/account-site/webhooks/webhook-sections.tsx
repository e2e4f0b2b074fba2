import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Checkbox } from '../../web/components/forms/checkbox.tsx'
import { Field, Select } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Form, useRefusal } from '../../web/components/forms/form.tsx'
import { eventTypeNames } from '../../../schema/events/event-types.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { WebhookPartsFragment, WebhookQuery } from '../generated/operations.ts'
import { DeliveryResponse, ResultFacts } from './deliveries/delivery-parts.tsx'
import { eventName } from './event-names.ts'
import { localTime } from './deliveries/local-time.ts'
import { getWebhookName } from './webhook-state.tsx'
import { WebhookFields } from './webhook-fields.tsx'

type Webhook = WebhookPartsFragment

/** A form that sends an example event, and the response of the endpoint. */
export const TestSection = ({ webhook: { types, test } }: { webhook: WebhookQuery['team']['webhook'] }) => {
  const names = types.length === 0 ? eventTypeNames : types.map(eventName)
  return (
    <FieldGroup
      id="test"
      title="Send a test event"
      about="Sends an event with sample data immediately. The event is signed like a real one."
    >
      <Form name="test">
        <Select
          name="type"
          label="Event"
          options={names.map((name) => ({ value: name, label: name }))}
          selected={test ? eventName(test.type) : undefined}
        />
        <Buttons>
          <Button kind="second">Send test event</Button>
        </Buttons>
      </Form>
      {test && (
        <div class="answer" role="group" aria-label="Response of the endpoint">
          <ResultFacts delivery={test} />
          <DeliveryResponse {...test} />
        </div>
      )}
    </FieldGroup>
  )
}

export const WebhookSettingsSection = ({ webhook }: { webhook: Webhook }) => (
  <Form name="update" id="settings">
    <WebhookFields {...webhook} isRefused={useRefusal('update') !== null} />
    <Buttons>
      <Button>Save</Button>
    </Buttons>
  </Form>
)

const dayMilliseconds = 86_400_000

/** A form that resends the events of a period. The default is the time since the webhook fails, or the last day. */
export const ReplaySection = ({ failingSince, ctx }: { failingSince: string | null; ctx: PageContext }) => {
  const timezone = ctx.person?.timeSettings?.timezone ?? null
  const now = ctx.site.now()
  const since = failingSince === null ? new Date(now.getTime() - dayMilliseconds) : new Date(failingSince)
  const hint = `In the time zone ${timezone ?? 'UTC'}.`
  return (
    <FoldedSection
      id="replay"
      title="Replay events"
      about="Resends up to 10,000 events of a period, oldest first. Event IDs stay the same."
    >
      <Form name="replay">
        <div class="range">
          <div>
            <Field name="since" label="From" type="datetime-local" value={localTime(since, timezone)} hint={hint} />
          </div>
          <div>
            <Field
              name="until"
              label="To"
              type="datetime-local"
              value={localTime(new Date(now.getTime() + 60_000), timezone)}
              hint={hint}
            />
          </div>
        </div>
        <Checkbox name="onlyFailed" label="Only events that were never delivered" isTicked />
        <Buttons>
          <Button kind="second">Replay events</Button>
        </Buttons>
      </Form>
    </FoldedSection>
  )
}

export const getRemovalLabel = ({ state }: Pick<Webhook, 'state'>): string => (state === 'DISABLED' ? 'Delete' : 'Disable or delete')

export const RemovalSection = ({ webhook }: { webhook: Webhook }) => (
  <FieldGroup
    id="remove"
    title={`${getRemovalLabel(webhook)} this webhook`}
    about={`${webhook.state === 'DISABLED' ? '' : 'A disabled webhook keeps its settings and its secret, and can be enabled again. '}Deleting it cannot be undone.`}
    isDangerous
  >
    {webhook.state !== 'DISABLED' && (
      <ConfirmDialog summary="Disable…" objectName={getWebhookName(webhook)} form="disable" button="Disable this webhook">
        No events are delivered until you enable it again. When you enable it, you can deliver the missed events or only new ones.
      </ConfirmDialog>
    )}
    <ConfirmDialog summary="Delete…" objectName={getWebhookName(webhook)} form="delete" button="Delete this webhook">
      No more events are delivered to this webhook. Its secret, its deliveries and the events that are waiting to be delivered again are
      also deleted. You cannot undo this.
    </ConfirmDialog>
  </FieldGroup>
)

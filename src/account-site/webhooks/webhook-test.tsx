import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Select } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { eventTypeNames } from '../../../schema/events/event-types.ts'
import { page } from '../framework/page.ts'
import { WebhookTestDocument } from '../generated/operations.ts'
import type { WebhookTestQuery } from '../generated/operations.ts'
import { DeliveryResponse, ResultFacts } from './deliveries/delivery-parts.tsx'
import { eventName } from './event-names.ts'
import { testForms } from './webhook-forms.ts'
import { webhookPage, webhookTestPath } from './webhook-page.tsx'
import { Receivers } from './webhook-secret.tsx'

/** What a developer does first: send a test event to the endpoint, and verify it there. */
export const webhookTest = page({
  ...webhookPage,
  path: webhookTestPath,
  scripts: [copyScript],
  document: WebhookTestDocument,
  variables(ctx) {
    const test = ctx.query.get('test') ?? ''
    return { ...webhookPage.variables(ctx), test, isTested: test !== '' }
  },
  forms: testForms,
  view: ({ team: { webhook } }) => (
    <>
      <TestSection webhook={webhook} />
      <section id="verify">
        <h2>Verify deliveries</h2>
        <Receivers />
      </section>
    </>
  ),
})

/** A form that sends an example event, and the response of the endpoint. */
const TestSection = ({ webhook: { types, test } }: { webhook: WebhookTestQuery['team']['webhook'] }) => {
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

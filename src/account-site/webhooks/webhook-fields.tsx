import { z } from 'zod'
import { invalid } from '../../../schema/core/errors.ts'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { list, text } from '../framework/field-types.ts'
import type { EventType } from '../generated/operations.ts'
import { eventName, toEventTypes, eventsBySubject, subjectLabels } from './event-names.ts'

export const webhookFields = z.object({ url: text, description: text, reach: z.enum(['all', 'chosen']).catch('all'), types: list })

/** Returns the input of a mutation. An empty list means all types, including future ones. */
export function buildWebhookInput({ url, description, reach, types }: z.output<typeof webhookFields>) {
  if (reach === 'chosen' && types.length === 0)
    throw invalid({ ...(url === '' && { url: ['Enter a URL.'] }), types: ['Choose at least one event.'] })
  return { url, description, types: reach === 'all' ? [] : toEventTypes(types) }
}

interface WebhookFieldsProps {
  url?: string
  description?: string
  types?: readonly EventType[]
  /** True if the form is shown again, so that the whole input is visible. */
  isRefused?: boolean
}

/** The fields for the URL, the description and the events of a webhook. */
export const WebhookFields = ({ url, description, types = [], isRefused = false }: WebhookFieldsProps) => (
  <>
    <FieldGroup id="endpoint" title="Endpoint" about="The server that receives the events.">
      <Field
        name="url"
        label="URL"
        noun="a URL"
        placeholder="https://example.com/webhooks"
        maxLength={2000}
        autocomplete="off"
        value={url}
        hint="An https URL on the public internet, which receives each event as a POST request."
      />
      <Field
        name="description"
        label="Description"
        required={false}
        maxLength={255}
        autocomplete="off"
        value={description}
        hint="Optional. For example, what the receiver does."
      />
    </FieldGroup>
    <FieldGroup
      id="events"
      title="Events"
      about="An event says what happened in the team, for example that a member joined. Each delivery contains one event."
    >
      <Choices
        name="reach"
        legend="Events"
        isLegendHidden
        type="radio"
        options={[
          { value: 'all', label: 'All events', hint: 'Including events that are added to the service later.' },
          { value: 'chosen', label: 'Only selected events', opens: true },
        ]}
        checked={[types.length === 0 ? 'all' : 'chosen']}
      />
      <details class="opened" open={types.length === 0 || isRefused}>
        <summary>Choose events</summary>
        <div class="event-types">
          {Array.from(eventsBySubject, ([subject, events], index) => (
            <Choices
              name="types"
              id={index === 0 ? undefined : `field-types-${subject}`}
              legend={subjectLabels[subject]}
              noun="event"
              type="checkbox"
              hasMessages={index === 0}
              options={events.map(({ name, about }) => ({ value: name, label: <code>{name}</code>, hint: about }))}
              checked={types.map(eventName)}
            />
          ))}
        </div>
      </details>
    </FieldGroup>
  </>
)

import { Button, Buttons } from '../../../web/components/forms/button.tsx'
import { Checkbox } from '../../../web/components/forms/checkbox.tsx'
import { Field } from '../../../web/components/forms/field.tsx'
import { FoldedSection } from '../../../web/components/forms/folded-section.tsx'
import { Form } from '../../../web/components/forms/form.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import { localTime } from './local-time.ts'

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

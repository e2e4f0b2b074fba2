import { Choices } from '../../../web/components/forms/choices.tsx'
import { Field } from '../../../web/components/forms/field.tsx'
import { Day, useTimes } from '../../../web/components/time.tsx'
import { instantFormat } from '../../../web/time-format.ts'
import { yearAfter } from '../../../../schema/tokens/rules.ts'
import { daysAfter, lastDay, tokenLifetimes, unlimited } from '../expiry.ts'

/** Script that shows the date of the currently chosen expiration. Without it, each lifetime shows its own. */
export const expiryScript = 'expiry.js'

/** The choice of a lifetime, each with its last day, or of a date. */
export const ExpiryField = ({ now, canBeUnlimited }: { now: Date; canBeUnlimited: boolean }) => {
  const times = useTimes()
  const choices = tokenLifetimes.map((lifetime) =>
    lifetime.value === 'date'
      ? lifetime
      : { value: lifetime.value, label: lifetime.label, hint: <Day at={daysAfter(now, Number(lifetime.value))} /> },
  )
  return (
    <>
      <Choices
        name="expiresAt"
        legend="Expiration"
        type="radio"
        options={[...choices, ...(canBeUnlimited ? [unlimited] : [])]}
        checked={['30']}
        isCompact
      />
      <div class="opened">
        <Field
          name="day"
          label="Custom date"
          type="date"
          required={false}
          min={now.toISOString().slice(0, 10)}
          {...(!canBeUnlimited && { max: lastDay(now) })}
          hint={`${canBeUnlimited ? '' : 'Within a year. '}The token expires at the end of the day, UTC.`}
        />
      </div>
      {/* The line has its height before the script fills it in, so that the fields below do not move. */}
      <output
        class="hint"
        data-expiry={JSON.stringify(instantFormat(times))}
        data-latest={canBeUnlimited ? undefined : yearAfter(now).toISOString()}
      >
        {'\u00a0'}
      </output>
    </>
  )
}

import { timezones } from '../../../schema/timezone.ts'
import { Field } from '../form.tsx'

/** Searched as it is typed in: browsers offer the names that contain what was typed. Left empty, the team has none. */
export const TimezoneField = ({ value }: { value: string | null }) => (
  <>
    <Field
      name="timezone"
      label="Timezone"
      list="timezones"
      required={false}
      autocomplete="off"
      value={value ?? ''}
      hint="Type a part of its name, such as Paris or UTC. Empty for none."
    />
    <datalist id="timezones">
      {timezones.map((name) => (
        <option value={name} />
      ))}
    </datalist>
  </>
)

export const TeamNameField = ({ value }: { value?: string }) => (
  <Field name="name" label="Name" autocomplete="off" {...(value !== undefined && { value })} />
)

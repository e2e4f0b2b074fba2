import { invalid } from '../../../schema/errors.ts'
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

/**
 * The one timezone that was meant: `new york` is `America/New_York`. What is none stays as it is, for the schema to refuse.
 * Throws `validation_failed`, with their names, for what several are called.
 */
export function timezoneOf(typed: string | null): string | null {
  if (typed === null) return null
  const part = typed.trim().toLowerCase().replace(/\s+/g, '_')
  const meant = [(name: string) => name === part, (name: string) => name.endsWith(`/${part}`), (name: string) => name.includes(part)]
    .map((isMeant) => timezones.filter((name) => isMeant(name.toLowerCase())))
    .find((names) => names.length > 0)
  if (!meant) return typed
  if (meant.length > 1) throw invalid({ timezone: [`Several timezones are called so: ${someOf(meant)}. Type more of the name.`] })
  return meant[0] ?? null
}

const someOf = (names: readonly string[]) => (names.length > 5 ? `${names.slice(0, 5).join(', ')} and others` : names.join(', '))

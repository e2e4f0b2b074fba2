import { invalid } from '../../schema/core/errors.ts'
import { timezones } from '../../schema/teams/timezones.ts'
import { Field } from '../web/components/forms/field.tsx'

/** A text field that suggests the time zones with the typed text in their name. An empty field means UTC. */
export const TimezoneField = ({ value }: { value: string | null }) => (
  <>
    <Field
      name="timezone"
      label="Time zone"
      list="timezones"
      required={false}
      autocomplete="off"
      value={value ?? ''}
      placeholder="UTC"
      hint="Enter part of the name, such as Paris. Leave empty for UTC."
    />
    <datalist id="timezones">
      {timezones.map((name) => (
        <option value={name} />
      ))}
    </datalist>
  </>
)

/**
 * Returns the time zone for a part of its name: `new york` is `America/New_York`. Text without a match is returned unchanged and the schema
 * refuses it. Throws `validation_failed` with the names if several match.
 */
export function findTimezone(typed: string | null): string | null {
  if (typed === null) return null
  const part = typed.trim().toLowerCase().replace(/\s+/g, '_')
  const matches = [(name: string) => name === part, (name: string) => name.endsWith(`/${part}`), (name: string) => name.includes(part)]
    .map((isMatch) => timezones.filter((name) => isMatch(name.toLowerCase())))
    .find((names) => names.length > 0)
  if (!matches) return typed
  if (matches.length > 1) throw invalid({ timezone: [`Several time zones match: ${formatSome(matches)}. Enter more of the name.`] })
  return matches[0] ?? null
}

const formatSome = (names: readonly string[]) => (names.length > 5 ? `${names.slice(0, 5).join(', ')} and others` : names.join(', '))

// A field for a date and a time contains no time zone. Its value is in the time zone of the user.

const getFormat = (timezone: string | null) =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone ?? 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })

/** Returns an instant in a time zone, to the minute, in the form of a field: `2026-11-21T09:30`. */
export const localTime = (at: Date, timezone: string | null): string => getFormat(timezone).format(at).replace(' ', 'T')

/** Returns the instant that a field represents; null if there is none, as in the hour that summer time skips. */
export function parseLocalTime(local: string, timezone: string | null): Date | null {
  const minutes = local.slice(0, 16)
  const localInstant = /^(?:19|20)\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(local) ? Date.parse(`${minutes}Z`) : Number.NaN
  if (Number.isNaN(localInstant)) return null
  // The second step is for an offset that changes between the two instants.
  let instant = localInstant
  for (let step = 0; step < 2; step++) instant += localInstant - Date.parse(`${localTime(new Date(instant), timezone)}Z`)
  const result = new Date(instant)
  return localTime(result, timezone) === minutes ? result : null
}

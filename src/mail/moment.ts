/** `Saturday, 28 November 2026 at 09:30 (Europe/Berlin)`, in UTC where no time zone is given. Put together here: the punctuation of ICU changes with its versions. */
export function moment(at: Date, timezone: string | null = null): string {
  const timeZone = timezone ?? 'UTC'
  const fields = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const
  const parts = new Intl.DateTimeFormat('en-GB', { ...fields, timeZone }).formatToParts(at)
  const { weekday, day, month, year, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${weekday}, ${day} ${month} ${year} at ${hour}:${minute} (${timeZone})`
}

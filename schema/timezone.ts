import { getTimeZones } from '@vvo/tzdb'

/**
 * The IANA names a team may choose: every member of every group of the database of time zones that this runtime's
 * ICU can compute with, and UTC. `Intl.supportedValuesOf` alone lacks UTC and names that were renamed.
 */
export const timezones: readonly string[] = [
  ...new Set([
    'UTC',
    ...getTimeZones({ includeUtc: true }).flatMap(({ name, group }) => group.concat(name)),
    ...Intl.supportedValuesOf('timeZone'),
    // Fixed offsets, their sign as POSIX has it: ICU knows them and lists them nowhere.
    ...Array.from({ length: 27 }, (_, index) => `Etc/GMT${index < 14 ? index - 14 : `+${index - 14}`}`),
  ]),
]
  .filter(isKnown)
  .sort()

function isKnown(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

import { rawTimeZones } from '@vvo/tzdb'

/**
 * The IANA names that a team may choose: UTC, every name of the tz database, and fixed offsets. `Intl.supportedValuesOf` alone lacks UTC and
 * renamed zones such as Europe/Kyiv.
 */
export const timezones: readonly string[] = [
  ...new Set([
    ...'UTC UCT Universal Zulu Greenwich GMT GMT0 GMT+0 GMT-0'.split(' ').flatMap((name) => [name, `Etc/${name}`]),
    ...Intl.supportedValuesOf('timeZone'),
    ...rawTimeZones.flatMap(({ name, group }) => group.concat(name)),
    // Fixed offsets with POSIX signs: ICU supports them but does not list them.
    ...Array.from({ length: 27 }, (_, index) => `Etc/GMT${index < 14 ? index - 14 : `+${index - 14}`}`),
  ]),
].sort()

/**
 * Returns false for a name of the tz database that is newer than the ICU of this Node, with which times of the zone cannot be formatted. Only
 * the name of a request is checked, because checking all of them would delay each start by 50 ms.
 */
export function isSupportedTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

import { rawTimeZones } from '@vvo/tzdb'

/** The names in the list of ICU. */
const supportedNames = new Set(Intl.supportedValuesOf('timeZone'))

/**
 * The IANA names that a team may choose: UTC, every name of the tz database that this runtime's ICU supports, and fixed offsets.
 * `Intl.supportedValuesOf` alone lacks UTC and renamed zones such as Europe/Kyiv.
 */
export const timezones: readonly string[] = [
  ...new Set([
    ...'UTC UCT Universal Zulu Greenwich GMT GMT0 GMT+0 GMT-0'.split(' ').flatMap((name) => [name, `Etc/${name}`]),
    ...supportedNames,
    ...rawTimeZones.flatMap(({ name, group }) => group.concat(name)),
    // Fixed offsets with POSIX signs: ICU supports them but does not list them.
    ...Array.from({ length: 27 }, (_, index) => `Etc/GMT${index < 14 ? index - 14 : `+${index - 14}`}`),
  ]),
]
  // Only names that ICU does not list are checked, since each check delays the start.
  .filter((name) => supportedNames.has(name) || isSupported(name))
  .sort()

function isSupported(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

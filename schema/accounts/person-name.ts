import { displayName } from '../core/validation.ts'

/** The names of a person, as an identity provider or a directory sends them: values of any type. Of each list, the first usable one counts. */
export interface PersonNames {
  full?: readonly unknown[]
  given?: unknown
  family?: unknown
  /** Names that are used if there is neither a full name nor both parts of one. */
  other?: readonly unknown[]
}

/**
 * Returns the name of a person in the form of `displayName`, or null if none of the names can be used. An email address is no name: some
 * providers send the user name in its place.
 */
export function readPersonName({ full = [], given, family, other = [] }: PersonNames): string | null {
  const parts = [given, family].flatMap((part) => cleanName(part) ?? [])
  const joined = parts.join(' ')
  const candidates = [...full, parts.length === 2 ? joined : null, ...other, joined]
  return candidates.map(cleanName).find((name) => name !== null) ?? null
}

/** The name of a new account: that of the person, else what precedes the `@` of the address. */
export const nameNewAccount = (names: PersonNames, address: string | null): string =>
  readPersonName(names) ?? cleanName(address?.slice(0, address.lastIndexOf('@'))) ?? 'New user'

const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const breaks = /[\s\p{Cc}\u2028\u2029]+/gu
/** Without a pattern for both sides of the `@`: its time would grow with the square of a text of many. */
const looksLikeAddress = (name: string) => !/\s/.test(name) && name.slice(1, -1).includes('@')

/** Makes a text of a provider or directory one line without marks that change the direction of what surrounds it. */
export const removeInvisible = (value: string): string => value.toWellFormed().replace(directionMarks, '').replace(breaks, ' ').trim()

/** Removes what the rules of names refuse, as the person cannot correct it; null for what is no name even then. */
function cleanName(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = removeInvisible(value)
  return looksLikeAddress(name) ? null : (displayName.safeParse(name).data ?? null)
}

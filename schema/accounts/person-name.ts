import { displayName } from '../core/validation.ts'

/** The names of a person, as an identity provider or a directory sends them: values of any type. The first usable one of a list counts. */
export interface PersonNames {
  full?: readonly unknown[]
  givenName?: unknown
  familyName?: unknown
  /** Names that are used if there is neither a full name nor both parts of one. */
  other?: readonly unknown[]
}

/**
 * Returns the name of a person in the form of `displayName`, or null if none of the names can be used. An email address is refused as a
 * name: some providers send the user name in its place.
 */
export function readPersonName({ full = [], givenName, familyName, other = [] }: PersonNames): string | null {
  const parts = [givenName, familyName].flatMap((part) => cleanName(part) ?? [])
  const joined = parts.join(' ')
  const candidates = [...full, parts.length === 2 ? joined : null, ...other, joined]
  return candidates.map(cleanName).find((name) => name !== null) ?? null
}

/** Returns the name of a new account: that of the person, or else the part of the address before the `@`. */
export const nameNewAccount = (names: PersonNames, address: string | null): string =>
  readPersonName(names) ?? cleanName(address?.slice(0, address.lastIndexOf('@'))) ?? 'New user'

const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const breaks = /[\s\p{Cc}\u2028\u2029]+/gu
/** The function uses no pattern for both sides of the `@`, because its time would grow with the square of the number of `@`. */
const looksLikeAddress = (name: string) => !/\s/.test(name) && name.slice(1, -1).includes('@')

/** Returns a text of a provider or directory as one line without marks that change the direction of the text around it. */
export const removeInvisible = (value: string): string => value.toWellFormed().replace(directionMarks, '').replace(breaks, ' ').trim()

/** Removes what the rules of names refuse, because the person cannot correct it. Returns null if the rest is not a name. */
function cleanName(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = removeInvisible(value)
  return looksLikeAddress(name) ? null : (displayName.safeParse(name).data ?? null)
}

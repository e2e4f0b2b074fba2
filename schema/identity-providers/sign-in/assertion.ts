import { readPersonName } from '../../accounts/person-name.ts'
import { mailAddress, text } from '../../core/validation.ts'
import { clockToleranceSeconds } from '../../oauth/issuers.ts'
import { ProviderError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'

type Claims = Readonly<Record<string, unknown>>

/** Maximum characters of a subject (OpenID Connect Core 1.0 §2). */
const maxSubject = 255
const maxGroups = 1000

/**
 * Reads a person from the claims of an ID token, or from the attributes of an assertion under the names of these claims (OpenID Connect Core 1.0
 * §5.1). `shownClaims` are for the page of a test sign-in. Throws a `ProviderError`.
 */
export function readPerson(claims: Claims, groupsClaim: string | null, shownClaims = claims): ProviderAssertion {
  const { sub, email, email_verified: isEmailVerified, name, given_name: givenName, family_name: family, nickname } = claims
  const subject = text.min(1).max(maxSubject).safeParse(sub)
  if (!subject.success) throw new ProviderError('The claim sub is missing or not valid.')
  return {
    subject: subject.data,
    issuer: '',
    email: mailAddress.safeParse(email).data ?? null,
    isEmailVerified: isEmailVerified === true || isEmailVerified === 'true',
    name: readPersonName({ full: [name], givenName, familyName: family, other: [nickname] }),
    groups: groupsClaim === null ? null : listGroups(claims[groupsClaim]),
    claims: cleanClaims(shownClaims),
  }
}

/** Returns true if `auth_time`, in seconds since 1970, shows that the person authenticated after the start of the request. */
export const hasAuthenticatedSince = ({ createdAt }: { createdAt: Date }, { auth_time: at }: Claims): boolean =>
  typeof at === 'number' && at >= createdAt.getTime() / 1000 - clockToleranceSeconds

/** Reads the names of groups; a single group may be a string instead of a list. */
function listGroups(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null
  return [value]
    .flat()
    .flatMap((each) => text.safeParse(each).data ?? [])
    .slice(0, maxGroups)
}

/** Maximum depth of lists and objects in a stored claim. JSON with a few thousand levels cannot be serialized. */
const maxLevels = 20

/** Returns claims that a JSON column can store: without NUL, lone surrogates and values that are nested too deeply. */
function cleanClaims(claims: Claims): Claims {
  const cleanText = (text: string) => text.replaceAll('\0', '').toWellFormed()
  const clean = (value: unknown, level: number): unknown => {
    if (typeof value === 'string') return cleanText(value)
    if (typeof value !== 'object' || value === null) return value
    if (level > maxLevels) return null
    if (Array.isArray(value)) return value.map((each) => clean(each, level + 1))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleanText(key), clean(each, level + 1)]))
  }
  return Object.fromEntries(Object.entries(claims).map(([key, value]) => [cleanText(key), clean(value, 1)]))
}

import { socialNames } from '../core/social-clients.ts'
import { refused } from '../core/validation.ts'
import { brokenNameRule, normalizeName } from '../oauth/team-clients/name-rules.ts'

/**
 * Throws if the name on the buttons of the sign-in pages could be mistaken for this service, or for a public provider by a similar
 * spelling. A name such as “Google” itself is common, because organizations have accounts there.
 */
export function requireProviderName(name: string, brandName: string): void {
  const imitated = Object.values(socialNames).find(
    (known) => normalizeName(known) === normalizeName(name) && known.toLowerCase() !== name.toLowerCase(),
  )
  const rule = brokenNameRule(name, brandName) ?? (imitated === undefined ? null : `look like ${imitated} in other characters`)
  if (rule !== null) throw refused({ name: [`The :attribute field must not ${rule}.`] })
}

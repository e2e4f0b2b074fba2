import { canReceiveMail } from '../core/mails/placeholder-address.ts'
import type { Requirement } from '../core/requires.ts'
import { recentSession } from '../core/requires.ts'
import { normalizeEmail, refused, text } from '../core/validation.ts'
import { publicMailDomains } from './public-mail.ts'

/** Maximum number of domains of a team. */
export const maxDomains = 10

/** The requirement to see the domains of a team and the other settings of how its members sign in. */
export const seeDomains: Requirement = { scopes: ['acct:team:read'], roles: ['owner'] }

/** The requirement to add, verify or remove a domain. */
export const changeDomains: Requirement = { ...recentSession, roles: ['owner'] }

/** Returns the name of the TXT record that verifies a domain. */
export const buildRecordName = (domain: string) => `_team-account.${domain}`

const normalizeDomain = (value: string) => normalizeEmail(`@${value.trim().replace(/^@/, '').replace(/\.$/, '')}`).slice(1)
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`
// The last label of a domain is never a number, so the pattern excludes IP addresses, too.
const domainPattern = new RegExp(String.raw`^(?:${label}\.)+(?!\d+$)${label}$`)

/** A domain in the form that it has in email addresses. With the name of its record, it has at most 253 characters. */
export const domainName = text
  .overwrite(normalizeDomain)
  .min(1, { abort: true })
  .max(239)
  .regex(domainPattern, 'The :attribute field must be a domain such as example.com.')

/** Throws for a domain that cannot belong to one team. */
export async function requireOwnDomain(domain: string): Promise<void> {
  if (!canReceiveMail(domain)) throw refused({ domain: [`No address at ${domain} can receive mail, so no team can verify it.`] })
  if (publicMailDomains.has(domain)) throw refused({ domain: [`Everybody can get an address at ${domain}, so no team can verify it.`] })
  const { isPublicSuffix } = await import('./public-suffix.ts')
  if (isPublicSuffix(domain)) throw refused({ domain: [`Others register domains below ${domain}, so no team can verify it.`] })
}

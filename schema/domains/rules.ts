import { canReceiveMail } from '../core/mails/placeholder-address.ts'
import type { Requirement } from '../core/requires.ts'
import { recentSession } from '../core/requires.ts'
import { normalizeEmail, refused, text } from '../core/validation.ts'
import { publicMailDomains } from './public-mail.ts'

/** How many domains a team can have. */
export const maxDomains = 10

/** To see the domains of a team, and what else decides how its members sign in. */
export const seeDomains: Requirement = { scopes: ['acct:team:read'], roles: ['owner'] }

/** To add, verify or remove a domain. */
export const changeDomains: Requirement = { ...recentSession, roles: ['owner'] }

/** The name of the TXT record that verifies a domain. */
export const recordNameOf = (domain: string) => `_team-account.${domain}`

const normalizeDomain = (value: string) => normalizeEmail(`@${value.trim().replace(/^@/, '').replace(/\.$/, '')}`).slice(1)
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`
// The last label of a domain is never a number, so this is no IP address either.
const domainPattern = new RegExp(String.raw`^(?:${label}\.)+(?!\d+$)${label}$`)

/** A domain of email addresses, in the form that it has in them. With the name of its record it has at most 253 characters. */
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

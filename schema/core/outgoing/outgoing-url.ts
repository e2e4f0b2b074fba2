import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** Hosts to which requests are sent although they are not public: names and IP addresses as URLs write them, without brackets. */
export type AllowedHosts = ReadonlySet<string>

/** The host of a URL as `AllowedHosts` and DNS know it: without the brackets of IPv6 and the dot at the end of a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Names that are never public (RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN's decision of 2024). */
const localName = /(?:^|\.)(?:localhost|local|internal|test|invalid|example|onion|home\.arpa)$/

/**
 * Returns the rule that the URL of a request to an address that others name breaks, to follow "must"; null if it breaks none
 * (docs/decisions/outgoing-requests.md). A name can still have private addresses: the module that sends requests checks
 * the address to which it connects.
 */
export function brokenUrlRule(text: string, allowedHosts: AllowedHosts): string | null {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'be an https URL'
  if (url.username !== '' || url.password !== '') return 'not have user information'
  if (url.hash !== '') return 'not have a fragment'
  const host = hostOf(url)
  if (allowedHosts.has(host)) return null
  if (url.protocol !== 'https:') return 'be an https URL'
  if (url.port !== '' && Number(url.port) < 1024) return 'use port 443, or a port from 1024 on'
  if (isIP(host) === 0) return host.includes('.') && !localName.test(host) ? null : 'name a host on the public internet'
  return isPublicAddress(host) ? null : 'name a host on the public internet'
}

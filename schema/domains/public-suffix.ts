import { getDomain } from 'tldts'

// This is a separate module, so that the list of suffixes is loaded only when a domain is added.

/** Returns true if anyone can register names below a domain, such as below `co.uk` or `github.io`. */
export const isPublicSuffix = (domain: string): boolean => getDomain(domain, { allowPrivateDomains: true }) === null

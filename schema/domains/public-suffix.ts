import { getDomain } from 'tldts'

// A module of its own: the list of suffixes is loaded when somebody adds a domain.

/** Whether a domain belongs to nobody in particular, because others register names below it: `co.uk`, `github.io`. */
export const isPublicSuffix = (domain: string): boolean => getDomain(domain, { allowPrivateDomains: true }) === null

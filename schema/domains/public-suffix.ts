import { getDomain } from 'tldts'

// A module of its own: the list of suffixes is loaded when a domain is added.

/** Whether names below a domain are registered by others, such as below `co.uk` or `github.io`. */
export const isPublicSuffix = (domain: string): boolean => getDomain(domain, { allowPrivateDomains: true }) === null

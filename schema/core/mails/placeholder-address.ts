// An account that was created at an identity provider can lack an email address: the provider stated none that could be trusted. The column
// cannot be null, so it has an address to which nothing can be sent (RFC 6761 §6.4).

const topLevelDomain = '.invalid'
const domain = `@no-address${topLevelDomain}`

/** Returns the address of an account without one. It is never verified. */
export const placeholderAddress = (userId: string): string => `${userId}${domain}`

/** Returns true if an account has an email address. */
export const hasAddress = (email: string): boolean => !email.endsWith(domain)

/** Returns the address of an account for pages, or the text `otherwise` if the account has no address. */
export const shownAddress = (email: string, otherwise = 'No email address'): string => (hasAddress(email) ? email : otherwise)

/** Returns true if mail can be sent to an address in the form of `normalizeEmail`. No domain in `.invalid` exists. */
export const canReceiveMail = (email: string): boolean => !email.endsWith(topLevelDomain)

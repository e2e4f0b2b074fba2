/** What decides about an identity that is seen for the first time. */
export interface Circumstances {
  /** The team of the provider; null for a public one. */
  providerTeamId: string | null
  /** The address that the provider states; null if none. */
  email: string | null
  /** Whether a public provider says that it verified the address. */
  isEmailVerified: boolean
  /** The team that verified the domain of the address; null if none did. */
  domainTeamId: string | null
  /** The account with that address; null if there is none. */
  account: { emailVerified: boolean; createdByTeamId: string | null } | null
}

/**
 * What happens with an unknown identity:
 *
 * - `create`: a new account with the address.
 * - `create_without_address`: a new account that has no address.
 * - `link`: it is linked to the account with the address.
 * - `prove`: the same, once the person has proved to own the account.
 * - `replace`: a new account with the address; the unverified account that has it is deleted.
 */
export type Decision = 'create' | 'create_without_address' | 'link' | 'prove' | 'replace'

/**
 * Decides about an unknown identity (docs/decisions/identity-providers.md#identity-and-linking). The address of a team's provider counts
 * only in a domain that the team has verified; that of a public provider only if it says that it verified the address.
 */
export function decide({ providerTeamId, email, isEmailVerified, domainTeamId, account }: Circumstances): Decision {
  const isTrusted = providerTeamId === null ? isEmailVerified : domainTeamId === providerTeamId
  if (email === null || !isTrusted) return 'create_without_address'
  if (!account) return 'create'
  if (providerTeamId === null) return account.emailVerified ? 'prove' : 'replace'
  return account.createdByTeamId === providerTeamId ? 'link' : 'prove'
}

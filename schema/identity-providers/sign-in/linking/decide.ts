/** The account with the address that a provider states. */
export interface AccountWithAddress {
  emailVerified: boolean
  createdByTeamId: string | null
  /** True if another identity of the same provider is linked to the account. */
  hasIdentity: boolean
  /** True if the account is a member of the team of the provider. */
  isMember: boolean
  /** True if the directory of that team now has other addresses for its user. */
  isRenamed: boolean
  /** True if the account is a member of another team. */
  hasOtherTeams: boolean
}

/** The facts that decide about an identity at its first sign-in. */
export interface Circumstances {
  /** The team of the provider; null for a public one. */
  providerTeamId: string | null
  /** The address that the provider states; null if none. */
  email: string | null
  /** True if a public provider says that it verified the address. */
  isEmailVerified: boolean
  /** True if the directory of the team of the provider removed the person with this identity. */
  isRemoved: boolean
  /** The team that verified the domain of the address; null if none did. */
  domainTeamId: string | null
  /** The account with that address; null if there is none. */
  account: AccountWithAddress | null
}

/**
 * The action for an unknown identity:
 *
 * - `create`: a new account with the address.
 * - `create_without_address`: a new account without an address.
 * - `link`: the identity is linked to the account with the address.
 * - `prove`: the identity is linked after the person has proved to own the account.
 * - `replace`: a new account with the address; the unverified account that has it is deleted.
 * - `move_address`: a new account with the address; the account that has it keeps everything else.
 * - `refuse`: no sign-in, because the address belongs to a member with another identity.
 */
export type Decision = 'create' | 'create_without_address' | 'link' | 'prove' | 'replace' | 'move_address' | 'refuse'

/**
 * Decides about an unknown identity (docs/decisions/identity-providers.md#identity-and-linking). The address of a team's provider counts
 * only in a domain that the team has verified; that of a public provider only if it says that it verified the address.
 */
export function decide({ providerTeamId, email, isEmailVerified, isRemoved, domainTeamId, account }: Circumstances): Decision {
  const isTrusted = providerTeamId === null ? isEmailVerified : domainTeamId === providerTeamId
  if (email === null || !isTrusted) return 'create_without_address'
  if (!account) return 'create'
  if (providerTeamId === null) return decideAtPublicProvider(account)
  const decision = decideAtTeamProvider(providerTeamId, account)
  // The address of a person whom the directory removed may belong to a new person now.
  return isRemoved && decision !== 'refuse' ? 'prove' : decision
}

function decideAtPublicProvider({ emailVerified, hasIdentity }: AccountWithAddress): Decision {
  if (!emailVerified) return 'replace'
  return hasIdentity ? 'create_without_address' : 'prove'
}

function decideAtTeamProvider(teamId: string, account: AccountWithAddress): Decision {
  const { createdByTeamId, hasIdentity, isMember, isRenamed, hasOtherTeams } = account
  if (isRenamed || (hasIdentity && !isMember)) return 'move_address'
  if (hasIdentity) return 'refuse'
  // The account is linked without a proof only if the team decides everything about it.
  return createdByTeamId === teamId && isMember && !hasOtherTeams ? 'link' : 'prove'
}

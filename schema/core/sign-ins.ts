/** How the user of a session signed in (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches). */
export interface SignIns {
  /** The identity providers of teams through which the user signed in. */
  providerIds: readonly string[]
  /** The teams of these providers, which vouch for the user. */
  vouchedTeamIds: readonly string[]
  /** Whether the user has proved the account in the session, so that more than these teams vouch for the user. */
  hasOwnProof: boolean
  /** Whether the session reaches those teams only, and not the account. */
  isLimited: boolean
  /** The teams that the user, as an owner, opened with a passkey although they require sign-in through a provider. */
  ownerAccessTeamIds: readonly string[]
}

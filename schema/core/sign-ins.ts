/** The sign-ins of a session (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches). */
export interface SignIns {
  /** The identity providers of teams through which the user signed in. */
  providerIds: readonly string[]
  /** The teams of these providers, which vouch for the user. */
  vouchedTeamIds: readonly string[]
  /** True if the user has proved the account in the session, so that not only these teams vouch for the user. */
  hasOwnProof: boolean
  /** True if the session can access those teams only, and not the account. */
  isLimited: boolean
  /** The teams that the user, as an owner, opened with a passkey although they require sign-in through a provider. */
  ownerAccessTeamIds: readonly string[]
}

/** A personal or team token, as pages show it. Times are RFC 3339. */
export interface ListedToken {
  id: string
  name: string
  /** Prefix and last four characters of the value. */
  hint: string
  scopes: readonly string[]
  /** The creator of a team token. Null if the operator created it or the account was deleted. */
  createdBy?: { name: string } | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  /** The value before the last rotation, while it still works. */
  previousValue: { hint: string; expiresAt: string } | null
  /** Slugs of the teams to which a personal token is limited; null for all teams. */
  teams?: readonly string[] | null
  /** Slugs of the teams whose owners revoked the access of a personal token. */
  revokedTeams?: readonly string[]
}

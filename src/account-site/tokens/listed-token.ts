/** A personal or team token, as pages show it. Times are RFC 3339. */
export interface ListedToken {
  id: string
  name: string
  /** Prefix and last four characters of the value. */
  hint: string
  scopes: readonly string[]
  /** Set for team tokens. Null when the operator created it or the account was deleted. */
  createdBy?: { name: string } | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  /** The value before the last rotation, while it still works. */
  previousValue: { hint: string; expiresAt: string } | null
  /** Set for personal tokens: slugs of the teams that it is limited to; null for all teams. */
  teams?: readonly string[] | null
  /** Set for personal tokens: slugs of teams whose owners revoked its access. */
  revokedTeams?: readonly string[]
}

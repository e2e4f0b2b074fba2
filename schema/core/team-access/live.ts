// When tokens and grants are valid. Lists, requests with a credential and the authorization server ask the same conditions.

/** SQL condition for a token or grant that is neither revoked nor expired at an instant. */
export const isLiveAt = (now: string, alias = 'r') =>
  `${alias}.revoked_at IS NULL AND (${alias}.expires_at > ${now} OR ${alias}.expires_at IS NULL)`

/** The same for a grant with its team, which must not be deleted. A grant that is not for one team has no row of a team. */
export const isLiveGrant = (now: string, grant = 'r', team = 't') => `${isLiveAt(now, grant)} AND ${team}.deleted_at IS NULL`

/**
 * SQL condition for a grant `g` with its team, client `c` and user `u` that can be used: it is live, and its client and user are
 * enabled. A grant without a team ends when its client is changed to demand one.
 */
export const isUsableGrant = (
  now: string,
  team = 't',
) => `${isLiveGrant(now, 'g', team)} AND c.disabled_at IS NULL AND u.disabled_at IS NULL
  AND (c.team <> 'required' OR g.team_id IS NOT NULL)`

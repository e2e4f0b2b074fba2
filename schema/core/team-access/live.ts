// These conditions define when tokens and grants are valid. Lists, requests with a credential and the authorization server use them.

/** Builds the SQL condition for a token or grant that is neither revoked nor expired at an instant. */
export const isLiveAt = (now: string, alias = 'r') =>
  `${alias}.revoked_at IS NULL AND (${alias}.expires_at > ${now} OR ${alias}.expires_at IS NULL)`

/** Builds the condition for a grant with its team, which must not be deleted. A grant that is not for one team has no row of a team. */
export const isLiveGrant = (now: string, grant = 'r', team = 't') => `${isLiveAt(now, grant)} AND ${team}.deleted_at IS NULL`

/**
 * SQL for the scopes that the identity provider of a grant may give its client `c` now; NULL if it gives no access anymore, because an
 * owner or the operator turned it off, or the user is no longer linked to it or no member (docs/decisions/agent-assertions.md). The function
 * is called only for a grant that a provider gave.
 */
export const vouchedScopes = (grant: string) =>
  `CASE WHEN ${grant}.provider_id IS NOT NULL THEN vouched_scopes(${grant}.provider_id, ${grant}.user_id, c.client_id) END`

/**
 * Builds the condition for a grant with its team, client `c` and user `u` that can be used. It is live, its client and user are enabled,
 * and the user may use the client. A grant without a team ends when its client is changed to require one. The provider of a grant must
 * still give access.
 */
export const isUsableGrant = (
  now: string,
  team = 't',
  grant = 'g',
) => `${isLiveGrant(now, grant, team)} AND c.disabled_at IS NULL AND u.disabled_at IS NULL
  AND (c.team <> 'required' OR ${grant}.team_id IS NOT NULL) AND ${isOpenClient(`${grant}.user_id`, team)}
  AND (${grant}.provider_id IS NULL OR ${vouchedScopes(grant)} IS NOT NULL)`

/**
 * Builds the condition for a client `c` that a user can use for a team: it is listed, the user is a member of the team that owns it
 * (docs/decisions/clients.md#drafts), or the team allows its host (docs/decisions/agents.md#clients-by-url). For a listed client, PostgreSQL
 * reads no members.
 */
const isOpenClient = (userId: string, team: string) =>
  `(c.state = 'listed' OR EXISTS (SELECT FROM members o WHERE o.team_id = c.owner_team_id AND o.user_id = ${userId})
    OR (c.source = 'metadata' AND c.state = 'draft' AND ${hostOfClient} = ANY (${team}.agent_hosts)))`

/** The host of a client by URL `c`. The URL has no user information (schema/oauth/metadata-clients/client-url.ts). */
const hostOfClient = `split_part(split_part(c.client_id, '/', 3), ':', 1)`

import type pg from 'pg'
import { listStatement } from '../builder/list-statement.ts'
import type { Page, Slice } from '../builder/pagination.ts'
import type { SortDirection } from '../builder/sort-direction.ts'
import { withDates } from '../builder/with-dates.ts'
import { credentialConditions } from './credential-filters.ts'
import type { CredentialFilters } from './credential-filters.ts'
import type { TokenWithParts } from './token.ts'

export type TokenOrder = 'created' | 'name' | 'last_used' | 'expires'

const instants = ['createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt', 'previousExpiresAt'] as const
type Instant = (typeof instants)[number]
type TokenRow = Omit<TokenWithParts, Instant> & { [Name in Instant]: string | Extract<TokenWithParts[Name], null> }

/** Filters of a list of tokens. `liveAt`: only tokens that are neither revoked nor expired at this instant. */
export type TokenFilters = [liveAt: Date | null, pattern: string | null, ...CredentialFilters]
type Values = [ownerId: string, ...TokenFilters]

/**
 * Reads a page of the tokens of a team or of a user. Finds them by the index on the owner, and then filters and
 * sorts them without an index: an owner has a few hundred, and every use of a token would have to update further indexes. Does not
 * select hashes.
 */
const tokensBy = (owner: 'team_id' | 'user_id') =>
  listStatement<TokenRow, TokenOrder, Values>({
    name: `tokens_by_${owner}`,
    matching: `
      SELECT t.id, t.kind, t.name, t.last_four AS "lastFour", to_json(t.scopes) AS scopes, t.user_id AS "userId", t.team_id AS "teamId",
        t.created_by_id AS "createdById", t.created_at AS "createdAt", to_json(t.team_ids) AS "teamIds",
        to_json(t.revoked_team_ids) AS "revokedTeamIds", t.last_used_at AS "lastUsedAt", t.expires_at AS "expiresAt",
        t.revoked_at AS "revokedAt", t.previous_last_four AS "previousLastFour", t.previous_expires_at AS "previousExpiresAt"
      FROM access_tokens t
      WHERE t.${owner} = $3 AND ($4::timestamptz IS NULL OR t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $4))
        AND ($5::text IS NULL OR t.name ILIKE $5) AND ${credentialConditions(6)}`,
    columns: `r.*, (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = r."createdById") AS "createdBy"`,
    orders: { created: '"createdAt"', name: 'name', last_used: '"lastUsedAt"', expires: '"expiresAt"' },
  })
const ofTeam = tokensBy('team_id')
const ofUser = tokensBy('user_id')

export async function findTokenPage(
  pool: pg.Pool,
  owner: { teamId: string } | { userId: string },
  slice: Slice,
  sort: TokenOrder,
  direction: SortDirection,
  ...filters: TokenFilters
): Promise<Page<TokenWithParts>> {
  const page =
    'teamId' in owner
      ? await ofTeam(pool, slice, sort, direction, owner.teamId, ...filters)
      : await ofUser(pool, slice, sort, direction, owner.userId, ...filters)
  return { ...page, nodes: page.nodes.map((row) => withDates(row, instants)) }
}

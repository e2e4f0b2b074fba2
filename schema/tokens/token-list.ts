import { withDates } from '../builder/with-dates.ts'
import type { ListDeclaration } from '../lists/declaration.ts'
import { defineList } from '../lists/list.ts'
import { isLiveAt } from '../core/team-access/live.ts'
import { byLastUse, credentialConditions } from './credential-filters.ts'
import type { CredentialFilters } from './credential-filters.ts'
import type { TokenWithParts } from './token.ts'

export type TokenOrder = 'created' | 'name' | 'last_used' | 'expires'

export interface TokenFilters extends CredentialFilters {
  /** Selects tokens that are neither revoked nor expired. */
  live?: boolean | null | undefined
  /** Pattern for the name. */
  search?: string | null
}

const instants = ['createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt', 'previousExpiresAt'] as const
type Instant = (typeof instants)[number]
/** A token as statements select it: its instants are text. */
export type TokenRow = Omit<TokenWithParts, Instant> & { [Name in Instant]: string | Extract<TokenWithParts[Name], null> }
const withTokenDates = <Row extends TokenRow>(row: Row) => withDates(row, instants)

/** The columns and filters that lists of tokens share. Hashes are not selected. */
export const listedTokens = {
  id: 'r.id',
  columns: `r.id, r.kind, r.name, r.last_four AS "lastFour", to_json(r.scopes) AS scopes, r.user_id AS "userId",
    r.team_id AS "teamId", r.created_by_id AS "createdById", r.created_at AS "createdAt", to_json(r.team_ids) AS "teamIds",
    to_json(r.revoked_team_ids) AS "revokedTeamIds", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt",
    r.revoked_at AS "revokedAt", r.previous_last_four AS "previousLastFour", r.previous_expires_at AS "previousExpiresAt",
    (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = r.created_by_id) AS "createdBy"`,
  orders: {
    created: { keys: [['r.created_at', 'timestamptz']] },
    name: { keys: [['lower(r.name)', 'text']] },
    last_used: byLastUse,
    expires: { keys: [['r.expires_at', 'timestamptz']], isNullable: true },
  },
  filters: {
    live: ({ now }) => isLiveAt(now),
    search: ({ value }) => `r.name ILIKE ${value}`,
    ...credentialConditions,
  },
  toNode: withTokenDates,
} as const satisfies Omit<ListDeclaration<TokenRow, TokenWithParts, TokenOrder, TokenFilters>, 'name' | 'rows'>

/** Declares the list of the tokens of a team or of a user. */
const tokensBy = (owner: 'team_id' | 'user_id') =>
  defineList<TokenRow, TokenWithParts, TokenOrder, TokenFilters>({
    ...listedTokens,
    name: `tokens by ${owner}`,
    rows: (id) => `FROM access_tokens r WHERE r.${owner} = ${id}`,
  })
export const teamTokenList = tokensBy('team_id')
export const userTokenList = tokensBy('user_id')

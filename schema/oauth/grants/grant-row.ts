import { toColumnName } from '../../../prisma/statement/write-row.ts'
import { withDates } from '../../builder/with-dates.ts'
import { grantParts } from './grant.ts'
import type { GrantWithParts } from './grant.ts'

const instants = ['createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'] as const
type Instant = (typeof instants)[number]
/** A grant as statements select it: its instants are text. */
export type GrantRow = Omit<GrantWithParts, Instant> & { [Name in Instant]: string | Extract<GrantWithParts[Name], null> }

/** Builds a JSON object of the columns that Prisma would select of a table. */
const json = (table: string, { select }: { select: object }) =>
  `json_build_object(${Object.keys(select)
    .map((name) => `'${name}', ${table}.${toColumnName(name)}`)
    .join(', ')})`

/** Selects the client `c` of a grant. */
export const clientOfGrant = json('c', grantParts.client)

/** Selects a grant `r` with its parts from the tables of `grantTables`. */
export const grantColumns = `r.id, r.user_id AS "userId", r.oauth_client_id AS "oauthClientId", r.team_id AS "teamId",
  to_json(r.scopes) AS scopes, to_json(r.declined_scopes) AS "declinedScopes", to_json(r.revoked_team_ids) AS "revokedTeamIds",
  r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt", r.revoked_at AS "revokedAt",
  ${json('u', grantParts.user)} AS user, ${clientOfGrant} AS client,
  CASE WHEN t.id IS NOT NULL THEN ${json('t', grantParts.team)} END AS team`

/** The tables that a grant `r` is joined with. LEFT JOIN lets PostgreSQL omit the tables that a statement does not need. */
export const grantTables = `LEFT JOIN users u ON u.id = r.user_id LEFT JOIN oauth_clients c ON c.id = r.oauth_client_id
  LEFT JOIN teams t ON t.id = r.team_id`

export const toGrant = (row: GrantRow): GrantWithParts => withDates(row, instants)

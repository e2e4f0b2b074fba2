import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { anyContains } from '../../builder/search.ts'
import { defineList } from '../../lists/list.ts'
import { personColumns } from '../../teams/person.ts'
import type { CredentialFilters, PersonFilters } from '../credential-filters.ts'
import { listedTokens } from '../list.ts'
import type { TokenOrder, TokenRow } from '../list.ts'
import { tokenParts } from '../token.ts'

/** What is loaded with a personal token, as the owners of a team see it. */
export const memberTokenParts = { ...tokenParts, user: personColumns } as const satisfies Prisma.AccessTokenInclude
export type MemberToken = Prisma.AccessTokenGetPayload<{ include: typeof memberTokenParts }>

interface MemberTokenFilters extends CredentialFilters, PersonFilters {
  /** Only tokens that are neither revoked nor expired. Always set: others give no access. */
  live: true
  /** A pattern of the name. */
  search?: string | null
}

/** SQL condition for a token `r` of a member `m`, who is the user `u`, that can access a team if it is live. */
export const isTokenOf = (team: string) => `m.team_id = ${team} AND u.disabled_at IS NULL
  AND ${team} <> ALL (r.revoked_team_ids) AND (r.team_ids = '{}' OR ${team} = ANY (r.team_ids))`

/**
 * The personal tokens that can access a team; the condition is that of src/auth/authenticate.ts and of `tokensWithAccess`. PostgreSQL reads
 * either those of its members, or the tokens of all users in the order of an index until there are enough of members.
 */
export const memberTokenList = defineList<TokenRow & Pick<MemberToken, 'user'>, MemberToken, TokenOrder, MemberTokenFilters>({
  ...listedTokens,
  name: 'tokens of members',
  rows: (team) => `FROM members m JOIN users u ON u.id = m.user_id JOIN access_tokens r ON r.user_id = m.user_id WHERE ${isTokenOf(team)}`,
  columns: `${listedTokens.columns}, json_build_object('id', u.id, 'name', u.name) AS user`,
  // Personal tokens always expire.
  orders: { ...listedTokens.orders, expires: { keys: listedTokens.orders.expires.keys } },
  filters: {
    ...listedTokens.filters,
    personId: ({ value }) => `m.user_id = ${value}::uuid`,
    person: ({ value }) => anyContains(['m.person'], value),
  },
})

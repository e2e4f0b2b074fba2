import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import { anyContains } from '../../builder/search.ts'
import { isLiveAt } from '../../core/team-access/live.ts'
import { reaches, tokenReach } from '../../core/team-access/reach.ts'
import { defineList } from '../../lists/list.ts'
import { personColumns } from '../../teams/person.ts'
import type { CredentialFilters, CredentialPersonFilters } from '../credential-filters.ts'
import { listedTokens } from '../token-list.ts'
import type { TokenOrder, TokenRow } from '../token-list.ts'
import { tokenParts } from '../token.ts'

/** The relations that are loaded with a personal token, as the owners of a team see it. */
export const memberTokenParts = { ...tokenParts, user: personColumns } as const satisfies Prisma.AccessTokenInclude
export type MemberToken = Prisma.AccessTokenGetPayload<{ include: typeof memberTokenParts }>

/** Selects a token `r` of the user `u`. */
const memberTokenColumns = `${listedTokens.columns}, json_build_object('id', u.id, 'name', u.name) AS user`

/** Excludes tokens that are revoked or expired. Always set, because they give no access. */
interface MemberTokenFilters extends CredentialFilters, CredentialPersonFilters {
  live: true
  /** Pattern for the name. */
  search?: string | null
}

/** Builds FROM and WHERE of the tokens `r` that can access a team if they are live. `m` are its members, who are the users `u`. */
export const tokensOfMembers = (team: string) =>
  `FROM members m JOIN access_tokens r ON ${reaches(tokenReach('r'))} JOIN users u ON u.id = m.user_id
   WHERE m.team_id = ${team} AND u.disabled_at IS NULL`

/** The personal tokens that can access a team. */
export const memberTokenList = defineList<TokenRow & Pick<MemberToken, 'user'>, MemberToken, TokenOrder, MemberTokenFilters>({
  ...listedTokens,
  name: 'tokens of members',
  rows: tokensOfMembers,
  columns: memberTokenColumns,
  // Personal tokens always expire.
  orders: { ...listedTokens.orders, expires: { keys: [['r.expires_at', 'timestamptz']] } },
  filters: {
    ...listedTokens.filters,
    personId: ({ value }) => `m.user_id = ${value}::uuid`,
    person: ({ value }) => anyContains(['m.person'], value),
  },
})

type Values = [ids: readonly string[], now: Date, teamIds: readonly string[]]

const tokensWithAccess = statement<TokenRow & Pick<MemberToken, 'user'>, Values>(
  'tokens_with_access',
  `SELECT ${memberTokenColumns} FROM access_tokens r JOIN users u ON u.id = r.user_id
   WHERE r.id = ANY ($1) AND ${isLiveAt('$2')} AND u.disabled_at IS NULL
     AND EXISTS (SELECT FROM members m WHERE m.team_id = ANY ($3) AND ${reaches(tokenReach('r'))})`,
)

/** Returns the personal tokens that can currently access one of the teams. */
export const findTokensWithAccess = async (executor: Executor, ...values: Values): Promise<MemberToken[]> =>
  (await tokensWithAccess(executor, ...values)).map(listedTokens.toNode)

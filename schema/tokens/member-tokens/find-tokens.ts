import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import { isLiveAt } from '../../core/team-access/live.ts'
import { reaches, tokenReach } from '../../core/team-access/reach.ts'
import { listedTokens } from '../list.ts'
import type { TokenRow } from '../list.ts'
import type { MemberToken } from './member-token-list.ts'
import { memberTokenColumns } from './member-token-list.ts'

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

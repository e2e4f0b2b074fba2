import { initialAccessTokenColumns, readRow, readRows } from '../../prisma/statement/read-row.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { InitialAccessToken } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { authorize } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { findTeamAccess } from '../core/team-access/team-access.ts'
import { isIdentifier, refused } from '../core/validation.ts'
import { PersonType } from '../teams/person.ts'
import { initialAccessPrefix } from '../tokens/token-value.ts'

/** Maximum number of tokens of a team that have not expired. */
export const maxInitialAccessTokens = 5

const dayMilliseconds = 86_400_000
export const defaultInitialAccessDays = 7
export const maxInitialAccessDays = 90

/** Validates the expiry of a new token, and returns it. */
export function parseInitialAccessExpiry(expiresAt: Date | null | undefined, now: Date): Date {
  const parsed = expiresAt ?? new Date(now.getTime() + defaultInitialAccessDays * dayMilliseconds)
  const isInRange = parsed > now && parsed.getTime() <= now.getTime() + maxInitialAccessDays * dayMilliseconds
  if (!isInRange) throw refused({ expiresAt: [`The :attribute field must be a date within ${maxInitialAccessDays} days.`] })
  return parsed
}

/** Returns the prefix and the last four characters of the value, by which users recognize a token. */
export const initialAccessHint = ({ lastFour }: Pick<InitialAccessToken, 'lastFour'>) => `${initialAccessPrefix}…${lastFour}`

/** A token with the user who created it. */
export interface InitialAccessTokenWithCreator extends InitialAccessToken {
  createdBy: { id: string; name: string } | null
}

export const InitialAccessTokenType = builder.objectRef<InitialAccessTokenWithCreator>('InitialAccessToken').implement({
  description: 'A token with which software can register OAuth clients of a team (RFC 7591). It gives no access to data.',
  describedBy: 'InitialAccessToken',
  fields: (t) => ({
    tokenId: t.exposeID('id'),
    hint: t.string({ description: 'The prefix and the last four characters of the value.', resolve: initialAccessHint }),
    createdBy: t.expose('createdBy', { type: PersonType, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
})

const selectToken = (condition: string) =>
  `SELECT ${initialAccessTokenColumns}, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "createdBy"
   FROM initial_access_tokens i LEFT JOIN users u ON u.id = i.created_by_id WHERE ${condition}`

/** Returns the tokens of a team, latest first. */
export const listInitialAccessTokens = ({ database: { pool } }: Context, teamId: string) =>
  readRows<InitialAccessTokenWithCreator>(
    pool,
    'initial_access_tokens_of_team',
    `${selectToken('i.team_id = $1')} ORDER BY i.created_at DESC, i.id DESC`,
    [teamId],
  )

/** Returns a token of a team in which the caller meets the requirement. Throws `not_found` for any other. */
export async function findInitialAccessToken(
  context: Context,
  id: string,
  requirement: Requirement,
): Promise<InitialAccessTokenWithCreator> {
  const { pool } = context.database
  const token = isIdentifier(id)
    ? await readRow<InitialAccessTokenWithCreator>(pool, 'initial_access_token_by_id', selectToken('i.id = $1'), id)
    : null
  const teamAccess = token && (await findTeamAccess(context, 'id', token.teamId))
  if (!token || !teamAccess) throw notFound()
  authorize(context, requirement, teamAccess)
  return token
}

/** Selects the number of tokens of a team that have not expired. */
export const countInitialAccessTokens = statement<{ count: number }, [teamId: string, now: Date]>(
  'count_initial_access_tokens',
  'SELECT count(*)::int AS count FROM initial_access_tokens WHERE team_id = $1 AND expires_at > $2',
)

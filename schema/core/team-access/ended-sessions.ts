import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Principal, TeamAccess } from '../principals.ts'

// An owner can end the sessions of a member in the team. They reach it again after the member has signed in again in them
// (docs/decisions/permissions.md#sessions-of-members).

/** SQL condition that an owner has ended a session in any team. The argument is the alias of `sessions`. */
export const isEndedInATeam = (session: string): string => `${session}.ended_team_ids <> '{}'`

/** Returns true if the caller is a session that an owner of the team has ended there. */
export const isEndedInTeam = ({ team }: TeamAccess, principal: Principal): boolean =>
  principal.kind === 'user' && principal.signIns?.endedTeamIds.includes(team.id) === true

const endSessions = statement<object, [userId: string, teamId: string]>(
  'end_sessions_in_team',
  'UPDATE sessions SET ended_team_ids = ended_team_ids || $2::uuid WHERE user_id = $1 AND $2 <> ALL (ended_team_ids)',
)

/** Ends all sessions of a user in a team, from the next request of each session on. */
export function endSessionsInTeam(transaction: Transaction, userId: string, teamId: string): void {
  transaction.defer(endSessions(transaction, userId, teamId))
}

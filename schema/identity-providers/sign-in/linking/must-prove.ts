import { statement } from '../../../../prisma/statement/statement.ts'
import type { Executor } from '../../../../prisma/statement/statement.ts'
import type { SignInProvider } from '../provider.ts'

const accountToProve = statement<object, [userId: string, teamId: string | null]>(
  'account_to_prove',
  `SELECT FROM users u WHERE u.id = $1
     AND (u.created_by_team_id IS DISTINCT FROM $2::uuid OR u.staff OR $2::uuid IS NULL
       OR EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.team_id <> $2::uuid))
     AND (u.password_hash IS NOT NULL OR u.email_verified OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = u.id)
       OR EXISTS (SELECT FROM external_identities i WHERE i.user_id = u.id AND i.social IS NOT NULL AND NOT i.needs_proof))`,
)

/**
 * Whether an account is asked for a proof whose identity needs one: unless its team decides everything about it, because it created the account
 * and the account is a member of no other team, or unless there is nothing with which the person could prove it. The session of such a
 * person reaches this team only.
 */
export const mustProve = async (executor: Executor, { team }: SignInProvider, userId: string): Promise<boolean> =>
  (await accountToProve(executor, userId, team?.teamId ?? null)).length > 0

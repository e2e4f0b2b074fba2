import { statement } from '../../../../prisma/statement/statement.ts'
import type { Executor } from '../../../../prisma/statement/statement.ts'
import type { SignInProvider } from '../provider.ts'
import type { KnownIdentity } from './identities.ts'

const accountToProve = statement<object, [userId: string, teamId: string | null, identityId: string]>(
  'account_to_prove',
  `SELECT FROM users u WHERE u.id = $1
     AND (u.created_by_team_id IS DISTINCT FROM $2::uuid OR u.staff OR $2::uuid IS NULL
       OR EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.team_id <> $2::uuid))
     AND (u.password_hash IS NOT NULL OR u.email_verified OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = u.id)
       OR EXISTS (SELECT FROM external_identities i WHERE i.user_id = u.id AND i.social IS NOT NULL AND i.id <> $3))`,
)

/**
 * Whether the account of a known identity must be proved: if the identity needs it, unless the team of the provider decides everything about the account,
 * because it created it and the account is a member of no other team, or unless there is nothing with which the person could prove it
 * (docs/decisions/identity-providers.md#changed-keys).
 */
export async function mustProve(executor: Executor, { team }: SignInProvider, { id, userId, needsProof }: KnownIdentity): Promise<boolean> {
  return needsProof && (await accountToProve(executor, userId, team?.teamId ?? null, id)).length > 0
}

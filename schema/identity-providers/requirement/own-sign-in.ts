import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Context } from '../../core/context.ts'
import type { TeamAccess } from '../../core/principals.ts'
import { missingSignIn } from '../../core/team-access/required-sign-in.ts'
import { requirePrincipal } from '../../core/team-access/team-access.ts'

const ownSignIn = statement<{ at: string | null }, [teamId: string, providerId: string, userId: string]>(
  'own_sign_in_to_require',
  'SELECT last_required_sign_in($1, $2, u.id, u.email) AS at FROM users u WHERE u.id = $3',
)

/**
 * Returns true if the caller would lose access to the team, now or after the grace period, if it required sign-in through this provider.
 * Returns false for an owner whom the requirement does not concern, and for an operator.
 */
export async function wouldLoseAccess(executor: Executor, context: Context, access: TeamAccess, providerId: string): Promise<boolean> {
  const caller = requirePrincipal(context)
  if (caller.kind !== 'user') return false
  const [own] = await ownSignIn(executor, access.team.id, providerId, caller.user.id)
  const requiredSignInAt = own?.at == null ? null : Number(own.at)
  return missingSignIn({ ...access, requiredSignInAt, team: { ...access.team, signInProviderId: providerId } }, caller, context)
}

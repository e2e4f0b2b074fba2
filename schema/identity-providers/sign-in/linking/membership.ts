import { statement } from '../../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import type { Context } from '../../../core/context.ts'
import { isRemovedPerson } from '../../../members/directory/removed-people.ts'
import { applyGroups } from '../../../members/groups/apply-groups.ts'
import { joinTeam } from '../../../members/groups/join-team.ts'
import type { ProviderAssertion } from '../../protocol.ts'
import type { SignInProvider } from '../sign-in-provider.ts'
import { toActor } from './new-account.ts'

const membership = statement<object, [teamId: string, userId: string]>(
  'membership_at_sign_in',
  'SELECT 1 FROM members WHERE team_id = $1 AND user_id = $2',
)

/**
 * Makes the person a member of the team of the provider, with the role that the team has chosen, at the first sign-in only. Later sign-ins
 * do not add a removed person again, and none adds a person whom the directory removed. Groups that the provider states decide at every
 * sign-in. The team must be locked.
 */
export async function updateMembership(
  transaction: Transaction,
  context: Context,
  { team, name: provider }: SignInProvider,
  { user, assertion, isFirst }: { user: { id: string; name: string }; assertion: ProviderAssertion; isFirst: boolean },
): Promise<void> {
  if (!team) return
  const { teamId, jitRole, issuer } = team
  const { subject, email, groups } = assertion
  const person = { userId: user.id, identity: { issuer, subject }, address: email }
  const isMember = (await membership(transaction, teamId, user.id)).length > 0
  const mayJoin = !isMember && !(await isRemovedPerson(transaction, teamId, person))
  if (groups !== null) await applyGroups(transaction, context, { teamId, userId: user.id, groups, jitRole, mayJoin, provider })
  if (!isFirst || jitRole === null || !mayJoin || (await membership(transaction, teamId, user.id)).length > 0) return
  const terms = { role: jitRole, accessibleAppIds: null }
  joinTeam(transaction, toActor(context, user), 'joinThroughProvider', { teamId, user, ...terms, provider })
}

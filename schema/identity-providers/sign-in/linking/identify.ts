import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import { isPendingDeletion } from '../../../accounts/deletion/pending-deletion.ts'
import type { Context } from '../../../core/context.ts'
import { lockAccount, lockTeam } from '../../../core/database/locks.ts'
import { ProviderError } from '../../protocol.ts'
import { requireUnchanged } from '../provider.ts'
import { identifyUnknown } from './first-sign-in.ts'
import { findIdentity, lockIdentity, recordSignIn } from './identities.ts'
import type { KnownIdentity } from './identities.ts'
import { updateMembership } from './membership.ts'
import { mustProve } from './must-prove.ts'
import { requireOwnOrganization } from './shared-issuer.ts'
import { identified } from './sign-in-at-provider.ts'
import type { Identified, SignInAtProvider } from './sign-in-at-provider.ts'

/**
 * Finds the account of a person who signed in at a provider, or creates or links one
 * (docs/decisions/identity-providers.md#identity-and-linking). Throws a `ProviderError`.
 */
export async function identify(transaction: Transaction, context: Context, signIn: SignInAtProvider): Promise<Identified> {
  const { provider, assertion } = signIn
  // The team before the account, in the order of all transactions.
  const team = provider.team && (await lockTeam(transaction, provider.team.teamId))
  await requireUnchanged(transaction, provider)
  await requireOwnOrganization(transaction, provider, assertion)
  await lockIdentity(transaction, provider, assertion)
  const known = await findIdentity(transaction, provider, assertion)
  return known === null ? identifyUnknown(transaction, context, { ...signIn, team }) : signInKnown(transaction, context, signIn, known)
}

async function signInKnown(
  transaction: Transaction,
  context: Context,
  { provider, assertion, answer }: SignInAtProvider,
  identity: KnownIdentity,
): Promise<Identified> {
  const { userId } = identity
  const user = await lockAccount(transaction, { id: userId })
  const isAsked = await mustProve(transaction, provider, identity)
  if (answer === 'new_account' || (answer !== 'none' && !isAsked)) throw new ProviderError('Your account there is linked already.')
  // Before anything is recorded: groups would make it a member.
  if (user?.disabledAt && !isPendingDeletion(user)) throw new ProviderError('Your account here is disabled.')
  if (isAsked && answer === 'none') return identified(null)
  if (answer !== 'none' && answer.provedUserId !== userId)
    throw new ProviderError('You proved another account than the one that is linked with your account there. Sign out here first.')
  transaction.defer(recordSignIn(transaction, identity, assertion, { now: context.now(), isProved: isAsked }))
  if (user) await updateMembership(transaction, context, provider, { user, assertion, isFirst: false })
  return identified(userId)
}

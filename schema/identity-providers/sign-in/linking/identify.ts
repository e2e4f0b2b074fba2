import type { User } from '../../../../prisma/generated/client/client.ts'
import { statement } from '../../../../prisma/statement/statement.ts'
import type { Executor } from '../../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import { isPendingDeletion } from '../../../accounts/deletion/pending-deletion.ts'
import type { Context } from '../../../core/context.ts'
import { lockAccount, lockTeam } from '../../../core/database/locks.ts'
import type { LockedTeam } from '../../../core/database/locks.ts'
import { RefusedPersonError } from '../../protocol.ts'
import { requireUnchanged } from '../sign-in-provider.ts'
import type { SignInProvider } from '../sign-in-provider.ts'
import { identifyUnknown, linkUnasked } from './first-sign-in.ts'
import type { LinkContext } from './first-sign-in.ts'
import { findIdentity, lockIdentity, recordSignIn } from './identities.ts'
import type { LinkedIdentity } from './identities.ts'
import { updateMembership } from './membership.ts'
import { requireOwnOrganization } from './shared-issuer.ts'
import { buildIdentification } from './sign-in-at-provider.ts'
import type { Identification, SignInAtProvider } from './sign-in-at-provider.ts'

/**
 * Finds the account of a person who signed in at a provider, or creates or links one
 * (docs/decisions/identity-providers.md#identity-and-linking). Throws a `RefusedPersonError`.
 */
export async function identify(transaction: Transaction, context: Context, signIn: SignInAtProvider): Promise<Identification> {
  const team = await lockSignIn(transaction, signIn)
  const identity = await findIdentity(transaction, signIn.provider, signIn.assertion)
  return identity ? signInLinked(transaction, context, signIn, identity) : identifyUnknown(transaction, context, { ...signIn, team })
}

/**
 * Links an unknown identity for which its provider vouches, if a sign-in would do so without asking the person. Returns the account; null
 * if a sign-in would do anything else. Throws a `RefusedPersonError`.
 */
export async function linkVouched(
  transaction: Transaction,
  context: LinkContext,
  identity: Omit<SignInAtProvider, 'choice'>,
): Promise<string | null> {
  const team = await lockSignIn(transaction, identity)
  // Another request can have linked it meanwhile.
  const linked = await findIdentity(transaction, identity.provider, identity.assertion)
  return linked ? linked.userId : linkUnasked(transaction, context, { ...identity, team })
}

/** Locks the team of the provider, which it returns, and the identity. Throws unless the provider may still sign the person in. */
async function lockSignIn(transaction: Transaction, { provider, assertion }: Omit<SignInAtProvider, 'choice'>): Promise<LockedTeam | null> {
  // The team is locked before the account, in the order of all transactions.
  const team = provider.team && (await lockTeam(transaction, provider.team.teamId))
  await requireUnchanged(transaction, provider)
  await requireOwnOrganization(transaction, provider, assertion)
  await lockIdentity(transaction, provider, assertion)
  return team
}

/** Signs in to the account of a linked identity, unless it must be proved first. */
async function signInLinked(
  transaction: Transaction,
  context: Context,
  { provider, assertion, choice }: SignInAtProvider,
  identity: LinkedIdentity,
): Promise<Identification> {
  const user = await lockAccount(transaction, { id: identity.userId })
  const isProofRequired = await requiresProof(transaction, provider, identity)
  // This check precedes all writes, because groups would make the account a member.
  requireUsableAccount(context, user, identity, choice, isProofRequired)
  if (isProofRequired && choice === 'none') return buildIdentification(null)
  transaction.defer(recordSignIn(transaction, identity, assertion, { now: context.now(), isProved: isProofRequired }))
  if (user) await updateMembership(transaction, context, provider, { user, assertion, isFirst: false })
  return buildIdentification(identity.userId)
}

function requireUsableAccount(
  context: Context,
  user: User | null,
  { userId }: LinkedIdentity,
  choice: SignInAtProvider['choice'],
  isProofRequired: boolean,
): void {
  if (choice === 'new_account' || (choice !== 'none' && !isProofRequired))
    throw new RefusedPersonError('This account at the identity provider is already linked to your account.')
  if (user?.disabledAt && !isPendingDeletion(user)) {
    context.signInFailed({ account: { id: userId }, method: 'provider', reason: 'account_disabled' })
    throw new RefusedPersonError('Your account is disabled.')
  }
  if (choice !== 'none' && choice.provedUserId !== userId)
    throw new RefusedPersonError(
      'You confirmed an account that is not linked to your account at the identity provider. Sign out and try again.',
    )
}

const accountToProve = statement<object, [userId: string, teamId: string | null, identityId: string]>(
  'account_to_prove',
  `SELECT FROM users u WHERE u.id = $1
     AND (u.created_by_team_id IS DISTINCT FROM $2::uuid OR u.staff OR $2::uuid IS NULL
       OR EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.team_id <> $2::uuid))
     AND (u.password_hash IS NOT NULL OR u.email_verified OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = u.id)
       OR EXISTS (SELECT FROM external_identities i WHERE i.user_id = u.id AND i.social IS NOT NULL AND i.id <> $3))`,
)

/**
 * Returns true if the account of a linked identity must be proved because the identity needs it. There are two exceptions: the team of the
 * provider created the account, which is a member of no other team, or the person has nothing with which to prove it
 * (docs/decisions/identity-providers.md#changed-keys).
 */
export async function requiresProof(
  executor: Executor,
  { team }: SignInProvider,
  { id, userId, needsProof }: LinkedIdentity,
): Promise<boolean> {
  return needsProof && (await accountToProve(executor, userId, team?.teamId ?? null, id)).length > 0
}

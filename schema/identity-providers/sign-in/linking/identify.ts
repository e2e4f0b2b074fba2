import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../../prisma/statement/write-row.ts'
import { isPendingDeletion } from '../../../accounts/deletion/pending-deletion.ts'
import { replaceUnverified } from '../../../accounts/replace-unverified.ts'
import { writeAuditEntry } from '../../../core/audit.ts'
import type { Context, EndedSession } from '../../../core/context.ts'
import { lockAccount, lockTeam } from '../../../core/database/locks.ts'
import { sendNotice } from '../../../core/notices/send-notice.ts'
import { teamOfAddress } from '../../../domains/verified.ts'
import { ProviderError } from '../../protocol.ts'
import type { ProviderAssertion } from '../../protocol.ts'
import { requireUnchanged } from '../provider.ts'
import type { SignInProvider } from '../provider.ts'
import { decide } from './decide.ts'
import { findIdentity, insertIdentity, lockIdentity, recordSignIn } from './identities.ts'
import { requireOwnOrganization } from './shared-issuer.ts'
import { updateMembership } from './membership.ts'
import { actorOf, createAccount } from './new-account.ts'

interface SignInAtProvider {
  provider: SignInProvider
  assertion: ProviderAssertion
  /**
   * What the person did about an account with the address that must be proved: nothing yet, proved to own the account with this identifier,
   * or chose a new account.
   */
  answer: 'none' | 'new_account' | { provedUserId: string }
}

/** The account of a sign-in; null if the person must prove to own the account with the address first. */
interface Identified {
  userId: string | null
  endedSessions: readonly EndedSession[]
  /** Whether an account without an address was created, which anybody with a provider of their own can cause. */
  isWithoutAddress: boolean
}

interface Finish {
  isLinked?: boolean
  isWithoutAddress?: boolean
  endedSessions?: readonly EndedSession[]
}

/**
 * Finds the account of a person who signed in at a provider, or creates or links one. This is the only place that does it from an
 * address (docs/decisions/identity-providers.md#identity-and-linking). Throws a `ProviderError`.
 */
export async function identify(transaction: Transaction, context: Context, signIn: SignInAtProvider): Promise<Identified> {
  const { provider, assertion, answer } = signIn
  // The team before the account, in the order of all transactions.
  if (provider.team) await lockTeam(transaction, provider.team.teamId)
  await requireUnchanged(transaction, provider)
  await requireOwnOrganization(transaction, provider, assertion)
  await lockIdentity(transaction, provider, assertion)
  const known = await findIdentity(transaction, provider, assertion)
  if (known !== null) {
    if (answer !== 'none') throw new ProviderError('Your account there is linked already.')
    const user = await lockAccount(transaction, { id: known })
    // Before anything is recorded: groups would make it a member.
    if (user?.disabledAt && !isPendingDeletion(user)) throw new ProviderError('Your account here is disabled.')
    transaction.defer(recordSignIn(transaction, provider, assertion, context.now()))
    if (user) await updateMembership(transaction, context, provider, { user, groups: assertion.groups, isFirst: false })
    return { userId: known, endedSessions: [], isWithoutAddress: false }
  }
  const { email, isEmailVerified } = assertion
  const [account, domain] =
    email === null ? [null, null] : await Promise.all([lockAccount(transaction, { email }), teamOfAddress(transaction, email)])
  const providerTeamId = provider.team?.teamId ?? null
  const decision = decide({ providerTeamId, email, isEmailVerified, domainTeamId: domain?.teamId ?? null, account })
  // Since the person was asked, the account, its address or the domain can have changed: nothing else than that account is linked then.
  if (typeof answer === 'object' && decision !== 'prove' && decision !== 'link')
    throw new ProviderError('The account with the address that it states, or the domain of the address, has changed. Sign in again.')
  const isNewAccount = decision === 'create_without_address' || (decision === 'prove' && answer === 'new_account')
  if (isNewAccount)
    return finish(await createAccount(transaction, context, { provider, assertion, email: null }), { isWithoutAddress: true })
  if (!account) return finish(await createAccount(transaction, context, { provider, assertion, email }))
  if (decision === 'prove' && answer === 'none') return { userId: null, endedSessions: [], isWithoutAddress: false }
  if (typeof answer === 'object' && answer.provedUserId !== account.id)
    throw new ProviderError('You proved another account than the one with the address that it states (claim email).')
  if (account.disabledAt && !isPendingDeletion(account)) throw new ProviderError('The account with the address that it states is disabled.')
  if (decision !== 'replace') return finish(account, { isLinked: true })
  const create = () => createAccount(transaction, context, { provider, assertion, email })
  const { created, endedSessions } = await replaceUnverified(transaction, context, account, create)
  return finish(created, { endedSessions })

  async function finish(
    user: { id: string; name: string; emailVerified?: boolean },
    { isLinked = false, isWithoutAddress = false, endedSessions = [] }: Finish = {},
  ): Promise<Identified> {
    await insertIdentity(transaction, provider, assertion, user.id, context.now())
    if (isLinked) await recordLink(user)
    // The owner of the domain, or the public provider, states the address, and the person has proved to own the account.
    if (isLinked && user.emailVerified === false)
      transaction.defer(updateRows(transaction, 'users', { id: user.id }, { emailVerified: true, updatedAt: context.now() }))
    await updateMembership(transaction, context, provider, { user, groups: assertion.groups, isFirst: true })
    return { userId: user.id, endedSessions, isWithoutAddress }
  }

  async function recordLink({ id, name, emailVerified = false }: { id: string; name: string; emailVerified?: boolean }): Promise<void> {
    const after = { provider: provider.name, email }
    writeAuditEntry(transaction, actorOf(context, { id, name }), 'linkIdentity', { subject: id, subjectName: name, after })
    await sendNotice(transaction, { ...context, principal: null }, { id, emailVerified }, 'identity-linked', after)
  }
}

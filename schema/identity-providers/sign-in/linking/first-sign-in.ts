import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../../prisma/statement/write-row.ts'
import { isPendingDeletion } from '../../../accounts/deletion/pending-deletion.ts'
import { moveAddress } from '../../../accounts/email/move-address.ts'
import { replaceUnverified } from '../../../accounts/email/replace-unverified.ts'
import { writeAuditEntry } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/context.ts'
import type { LockedTeam } from '../../../core/database/locks.ts'
import { sendNotice } from '../../../core/notices/send-notice.ts'
import { findRemovedByIdentity, isRemovedPerson } from '../../../members/directory/removed-people.ts'
import { RefusedPersonError } from '../../protocol.ts'
import { findAddress } from './account-with-address.ts'
import { decide } from './decide.ts'
import { insertIdentity } from './identities.ts'
import { updateMembership } from './membership.ts'
import { toActor, createAccount } from './new-account.ts'
import { buildIdentification } from './sign-in-at-provider.ts'
import type { Identification, SignInAtProvider } from './sign-in-at-provider.ts'

interface FirstSignIn extends SignInAtProvider {
  /** The locked team of the provider; null for a public one. */
  team: LockedTeam | null
}

/** Carries out the decision of `decide` for an unknown, locked identity. No other function finds an account by an address. */
export async function identifyUnknown(transaction: Transaction, context: Context, signIn: FirstSignIn): Promise<Identification> {
  const { provider, team, assertion, choice } = signIn
  const { email } = assertion
  const { decision, account } = await decideAbout(transaction, signIn)
  if (decision === 'refuse') throw new RefusedPersonError(addressOfMember(email))
  // The account, its address or the domain can have changed since the question to the person: only the same account is linked then.
  if (typeof choice === 'object' && decision !== 'prove' && decision !== 'link')
    throw new RefusedPersonError(
      'The account with the email address from the identity provider, or the domain of the email address, has changed. Sign in again.',
    )
  const create = (address: string | null) => createAccount(transaction, context, { provider, assertion, email: address })
  if (decision === 'create_without_address' || (decision === 'prove' && choice === 'new_account'))
    return finish(await create(null), { isWithoutAddress: true })
  if (!account) return finish(await create(email))
  if (decision === 'prove' && choice === 'none') return buildIdentification(null)
  const { user } = account
  if (typeof choice === 'object' && choice.provedUserId !== user.id)
    throw new RefusedPersonError('You confirmed an account that does not have the email address from the identity provider (claim email).')
  if (user.disabledAt && !isPendingDeletion(user))
    throw new RefusedPersonError('The account with the email address from the identity provider is disabled.')
  if (decision === 'replace') {
    const { created, endedSessions } = await replaceUnverified(transaction, context, user, () => create(email))
    return finish(created, { endedSessions })
  }
  if (decision === 'move_address' && team) {
    const actor = (created: { id: string; name: string }) => toActor(context, created).principal
    return finish(await moveAddress(transaction, context, { from: user, team, create: () => create(email), actor }))
  }
  await connectAccount(transaction, context, signIn, user)
  return finish(user)

  async function finish(user: { id: string; name: string }, more?: Partial<Identification>): Promise<Identification> {
    await insertIdentity(transaction, provider, assertion, user.id, context.now())
    await updateMembership(transaction, context, provider, { user, assertion, isFirst: true })
    return buildIdentification(user.id, more)
  }
}

/** An identity for which a decision is made; the person is not asked. */
type UnknownIdentity = Omit<FirstSignIn, 'choice'>

/** Decides about an unknown, locked identity. */
async function decideAbout(transaction: Transaction, signIn: UnknownIdentity) {
  const { provider, team, assertion } = signIn
  const { email, isEmailVerified } = assertion
  const { domainTeamId, account } = email === null ? { domainTeamId: null, account: null } : await findAddress(transaction, provider, email)
  const addressFacts = { email, isEmailVerified, isRemoved: await checkRemoval(transaction, signIn) }
  const decision = decide({ ...addressFacts, providerTeamId: team?.id ?? null, domainTeamId, account: account?.facts ?? null })
  return { decision, account }
}

/**
 * Links an unknown, locked identity to the account with its address, if a sign-in would do so without asking the person. Returns the
 * account; null if a sign-in would do anything else.
 */
export async function linkUnasked(transaction: Transaction, context: LinkContext, identity: UnknownIdentity): Promise<string | null> {
  const { decision, account } = await decideAbout(transaction, identity)
  if (decision !== 'link' || !account || account.user.disabledAt) return null
  await connectAccount(transaction, context, identity, account.user)
  await insertIdentity(transaction, identity.provider, identity.assertion, account.user.id, context.now())
  return account.user.id
}

/**
 * Returns true if the directory of the team removed the person with this identity. If only the address matches, the identity is stored with
 * the removal too, whatever the decision is.
 */
async function checkRemoval(transaction: Transaction, { provider: { team }, assertion }: UnknownIdentity): Promise<boolean> {
  if (!team) return false
  const identity = { issuer: team.issuer, subject: assertion.subject }
  const removedId = await findRemovedByIdentity(transaction, team.teamId, identity)
  if (removedId === null) await isRemovedPerson(transaction, team.teamId, { identity, address: assertion.email, userId: null })
  return removedId !== null
}

const addressOfMember = (email: string | null) =>
  `The email address ${email ?? ''} (claim email) belongs to a member of the team who signs in with another account at the identity provider (claim sub). ` +
  'If someone else had the email address before you, an administrator of the directory must deactivate that person or change their email address first, ' +
  'or an owner of the team must remove the member. If you are the member, sign in another way and remove the other account under Linked accounts.'

/** The parts of the context that linking needs. */
export type LinkContext = Pick<Context, 'now' | 'requestId' | 'sendMail'> & Partial<Pick<Context, 'browser'>>

/** Records that an account is linked, notifies its owner, and makes its address verified. */
async function connectAccount(
  transaction: Transaction,
  context: LinkContext,
  { provider, assertion }: UnknownIdentity,
  { id, name, emailVerified }: { id: string; name: string; emailVerified: boolean },
): Promise<void> {
  const after = { provider: provider.name, email: assertion.email }
  writeAuditEntry(transaction, toActor(context, { id, name }), 'linkIdentity', { subject: id, subjectName: name, after })
  await sendNotice(transaction, { browser: null, ...context, principal: null }, { id, emailVerified }, 'identity-linked', after)
  // The owner of the domain, or the public provider, states the address, and the person has proved to own the account.
  if (!emailVerified) transaction.defer(updateRows(transaction, 'users', { id }, { emailVerified: true, updatedAt: context.now() }))
}

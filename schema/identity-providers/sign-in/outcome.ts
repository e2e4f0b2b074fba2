import type { SignInRequest } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { requireBrowser } from '../../core/attempts/count-attempt.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { lockAccount } from '../../core/database/locks.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { isLimitedSession } from '../../core/team-access/session-reach.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { recordOwnProof } from '../../security/sessions/own-proof.ts'
import { completeSignIn } from '../../security/sign-in/complete.ts'
import { RefusedPersonError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'
import { hasAuthenticatedSince } from './assertion.ts'
import { identify, requiresProof } from './linking/identify.ts'
import { findIdentity, hasIdentity, insertIdentity, lockIdentity, recordSignIn } from './linking/identities.ts'
import { requireOwnOrganization } from './linking/shared-issuer.ts'
import { requireUnchanged } from './sign-in-provider.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import { storeAssertion } from './requests.ts'

/** The result of a verified response. */
export interface Outcome {
  isSignedIn: boolean
  isRestored: boolean
  /** The request for which the person must prove to own an account first; otherwise null. */
  proofRequest: string | null
}

interface VerifiedSignIn {
  provider: SignInProvider
  request: SignInRequest
  assertion: ProviderAssertion
}

const unchanged: Outcome = { isSignedIn: true, isRestored: false, proofRequest: null }

/** Carries out the purpose of the request. Throws a `RefusedPersonError` if that is impossible. */
export function buildOutcome(context: Context, signedIn: VerifiedSignIn): Promise<Outcome> {
  switch (signedIn.request.purpose) {
    case 'sign_in':
      return signIn(context, signedIn)
    case 'confirm':
      return confirm(context, signedIn)
    case 'link':
      return link(context, signedIn)
    case 'test':
      return test(context, signedIn)
  }
}

async function signIn(context: Context, { provider, request, assertion }: VerifiedSignIn): Promise<Outcome> {
  const { userId, endedSessions, isWithoutAddress } = await inTransaction(context.database, async (transaction) => {
    const identification = await identify(transaction, context, { provider, assertion, choice: 'none' })
    if (identification.userId !== null) requireExpectedUser(context, request, identification.userId)
    return identification
  })
  // A sign-in to an account that the provider vouches for was not a guess. Others count as attempts: their number would have no limit.
  if (userId !== null && !isWithoutAddress) await refundSignIn(context)
  if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
  if (userId !== null && isSignedInAs(context, userId) && !hasAuthenticatedSince(request, assertion.claims)) {
    await extendSession(context.database.pool, context, provider)
    return unchanged
  }
  if (userId !== null) return signInTo(context, provider, userId)
  await storeAssertion(context.database.pool, request.id, assertion)
  return { ...unchanged, isSignedIn: false, proofRequest: request.id }
}

/**
 * Throws a `RefusedPersonError` unless the sign-in ends as the user who started it, or who has signed in here since. A provider can respond
 * late, so a link on another site could otherwise replace the session of a user who signed in meanwhile.
 */
function requireExpectedUser({ principal }: Context, request: SignInRequest, userId: string): void {
  if (request.userId !== null && request.userId !== userId)
    throw new RefusedPersonError('You started this sign-in while you were signed in with another account. Sign out and try again.')
  if (request.userId !== null || principal?.kind !== 'user' || principal.user.id === userId) return
  if (principal.authenticatedAt && principal.authenticatedAt > request.createdAt)
    throw new RefusedPersonError('You have signed in with another account since you started this sign-in. Sign out and try again.')
}

async function refundSignIn(context: Context): Promise<void> {
  const { address, attemptLimits } = requireBrowser(context)
  await attemptLimits.signInAddress.refund(address)
}

const isSignedInAs = ({ principal }: Context, userId: string) => principal?.kind === 'user' && principal.user.id === userId

const addProvider = statement<object, [sessionId: string, userId: string, providerId: string]>(
  'add_provider_to_session',
  `WITH provider AS MATERIALIZED (SELECT id FROM identity_providers WHERE id = $3 AND disabled_at IS NULL FOR SHARE)
   UPDATE sessions SET provider_ids = provider_ids || provider.id FROM provider
   WHERE sessions.id::text = $1 AND user_id = $2 AND NOT provider.id = ANY (provider_ids)`,
)

/**
 * Records the provider in the session of a signed-in user. That of a team vouches for the user from now on, and a public one proves the
 * account. It does not become a recent sign-in: at a screen that was left unlocked, the provider would respond without asking the user.
 */
export async function extendSession(executor: Executor, context: Context, { team }: SignInProvider): Promise<void> {
  const viewer = requirePerson(context)
  if (team) await addProvider(executor, viewer.credentialId, viewer.user.id, team.id)
  else await recordOwnProof(executor, viewer)
}

/** Signs the browser in to an account that a provider identified. The second factor is still required. */
export async function signInTo(context: Context, { team }: SignInProvider, userId: string): Promise<Outcome> {
  try {
    const proof = { userId, methods: [], passwordDigest: null, providerId: team?.id ?? null }
    return { ...(await completeSignIn(context, proof)), proofRequest: null }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'validation_failed')
      throw new RefusedPersonError(
        'Your account is disabled or scheduled for deletion. To undo a scheduled deletion, sign in with your password or a passkey.',
      )
    throw error
  }
}

async function confirm(context: Context, { provider, assertion }: VerifiedSignIn): Promise<Outcome> {
  const { id } = requirePerson(context).user
  await inTransaction(context.database, async (transaction) => {
    const identity = await findIdentity(transaction, provider, assertion)
    if (identity?.userId !== id)
      throw new RefusedPersonError('You signed in with an account at the identity provider that is not linked to your account.')
    if (await requiresProof(transaction, provider, identity))
      throw new RefusedPersonError(
        'The settings of the identity provider were changed since you last confirmed your account. Confirm your account in another way.',
      )
    transaction.defer(recordSignIn(transaction, identity, assertion, { now: context.now() }))
  })
  return signInTo(context, provider, id)
}

/** Links the identity to the signed-in user, whatever the address is, because both accounts are proved. */
async function link(context: Context, { provider, assertion }: VerifiedSignIn): Promise<Outcome> {
  const viewer = requirePerson(context)
  const { user } = viewer
  const { id, name } = user
  // The account can have joined another team since the browser was sent to the provider.
  if (isLimitedSession(viewer))
    throw new RefusedPersonError('Confirm your account first: you signed in through the identity provider of a team.')
  await inTransaction(context.database, async (transaction) => {
    await requireUnchanged(transaction, provider)
    await requireOwnOrganization(transaction, provider, assertion)
    if (!(await lockAccount(transaction, { id }))) throw new RefusedPersonError('Your account was deleted.')
    await lockIdentity(transaction, provider, assertion)
    const identity = await findIdentity(transaction, provider, assertion)
    if (identity?.userId === id) throw new RefusedPersonError('This account at the identity provider is already linked to your account.')
    if (identity !== null)
      throw new RefusedPersonError('This account at the identity provider is already linked to another account of this service.')
    if (await hasIdentity(transaction, provider, id))
      throw new RefusedPersonError('Your account is already linked to another account at the identity provider. Remove that link first.')
    await insertIdentity(transaction, provider, assertion, id, context.now())
    const after = { provider: provider.name, email: assertion.email }
    writeAuditEntry(transaction, context, 'linkIdentity', { subject: id, subjectName: name, after })
    await sendNotice(transaction, context, user, 'identity-linked', after)
  })
  return unchanged
}

const recordTest = statement<object, [id: string, now: Date, updatedAt: Date]>(
  'record_provider_test',
  'UPDATE identity_providers SET tested_at = $2, failed_at = NULL, failure = NULL WHERE id = $1 AND updated_at = $3',
)

/** Stores the provider's statements for the page of the test. The provider counts as tested unless it was changed meanwhile. */
async function test(context: Context, { provider, request, assertion }: VerifiedSignIn): Promise<Outcome> {
  const { pool } = context.database
  await storeAssertion(pool, request.id, assertion)
  if (provider.team) await recordTest(pool, provider.team.id, context.now(), provider.team.updatedAt)
  return unchanged
}

import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { isSignInOverdue, requiredSignInAt } from '../../core/team-access/required-sign-in.ts'
import { lacksTwoFactor } from '../../core/team-access/two-factor.ts'
import { RefusedAssertion } from '../../workload-identities/assertions/verify.ts'
import { ProviderError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'
import type { LinkContext } from '../sign-in/linking/first-sign-in.ts'
import { findIdentity } from '../sign-in/linking/identities.ts'
import { linkVouched, requiresProof } from '../sign-in/linking/identify.ts'
import { requireOwnOrganization } from '../sign-in/linking/shared-issuer.ts'
import type { AgentProvider } from './vouching-provider.ts'

/** The parts of the context that finding a member needs. */
export type VouchingContext = Pick<Context, 'database' | 'now' | 'providerSignInDays'>

const refuse = (what: string) => new RefusedAssertion(what, { claim: 'sub' })

const notLinked = () => refuse('no account is linked to the claim sub: the person must sign in through the identity provider first')

/** The messages of sign-in contain values of claims, which belong to the person. */
function hideClaims(error: unknown): never {
  throw error instanceof ProviderError ? refuse('a sign-in of the person with the claim sub would be refused') : error
}

/**
 * Returns the member of the provider's team for whom it vouches, by the rules of a sign-in there, and changes nothing. Null if the account
 * is not linked, and `linkVouchedMember` decides. Throws a `RefusedAssertion`.
 */
export async function findVouchedMember(
  context: VouchingContext,
  provider: AgentProvider,
  assertion: ProviderAssertion,
): Promise<string | null> {
  const { pool } = context.database
  await requireOwnOrganization(pool, provider, assertion).catch(hideClaims)
  const identity = await findIdentity(pool, provider, assertion)
  if (!identity) {
    if (!provider.team.linksAgentsByAddress) throw notLinked()
    return null
  }
  if (await requiresProof(pool, provider, identity))
    throw refuse('the person with the claim sub must sign in through the identity provider first')
  await requireMember(pool, context, provider, identity.userId)
  return identity.userId
}

/**
 * Links the account of a member for whom the provider vouches, if a sign-in there would do so. Never creates an account or member. Returns
 * the account. Throws a `RefusedAssertion`, after which the caller must roll back.
 */
export async function linkVouchedMember(
  transaction: Transaction,
  context: VouchingContext & LinkContext,
  provider: AgentProvider,
  assertion: ProviderAssertion,
): Promise<string> {
  const userId = await linkVouched(transaction, context, { provider, assertion }).catch(hideClaims)
  if (userId === null) throw notLinked()
  await requireMember(transaction, context, provider, userId)
  return userId
}

interface MemberState {
  isDisabled: boolean
  isMember: boolean
  lacksTwoFactor: boolean
  /** The last sign-in through another provider that the team requires now; null if it requires none. */
  requiredSignInAt: number | null
}

const memberState = statement<MemberState, [userId: string, teamId: string, providerId: string, now: Date]>(
  'state_of_vouched_member',
  `SELECT u.disabled_at IS NOT NULL AS "isDisabled", EXISTS (SELECT FROM members m WHERE m.team_id = t.id AND m.user_id = u.id) AS "isMember",
     coalesce(t.two_factor_required_at <= $4, false) AND ${lacksTwoFactor} AS "lacksTwoFactor",
     CASE WHEN t.sign_in_required_at <= $4 AND t.sign_in_provider_id <> $3 THEN ${requiredSignInAt} END AS "requiredSignInAt"
   FROM users u, teams t WHERE u.id = $1 AND t.id = $2`,
)

async function requireMember(
  executor: Executor,
  context: VouchingContext,
  { team: { id, teamId } }: AgentProvider,
  userId: string,
): Promise<void> {
  const [state] = await memberState(executor, userId, teamId, id, context.now())
  if (!state || state.isDisabled) throw refuse('the account of the person with the claim sub is disabled')
  if (!state.isMember) throw refuse('the person with the claim sub is not a member of the team')
  if (state.lacksTwoFactor) throw refuse('the person with the claim sub lacks the two-factor authentication that the team requires')
  if (isSignInOverdue(state.requiredSignInAt, context))
    throw refuse('the person with the claim sub lacks the sign-in through another identity provider that the team requires')
}

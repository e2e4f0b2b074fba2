import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { isSignInOverdue, requiredSignInAt } from '../../core/team-access/required-sign-in.ts'
import { lacksTwoFactor } from '../../core/team-access/two-factor.ts'
import { RefusedAssertion } from '../../workload-identities/assertions/verify.ts'
import { ProviderError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'
import { findIdentity } from '../sign-in/linking/identities.ts'
import { linkVouched, requiresProof } from '../sign-in/linking/identify.ts'
import { requireOwnOrganization } from '../sign-in/linking/shared-issuer.ts'
import type { AgentProvider } from './vouching-provider.ts'

/** The parts of the context that finding a member needs. */
export type VouchingContext = Pick<Context, 'database' | 'now' | 'sendMail' | 'requestId' | 'providerSignInDays'>

const refuse = (what: string) => new RefusedAssertion(what, { claim: 'sub' })

/**
 * Returns the member of the provider's team for whom it vouches, by the rules of a sign-in there, but never a new account or member. Throws
 * a `RefusedAssertion`.
 */
export async function findVouchedMember(context: VouchingContext, provider: AgentProvider, assertion: ProviderAssertion): Promise<string> {
  const userId = await findAccount(context, provider, assertion).catch((error: unknown) => {
    // The messages of sign-in contain values of claims, which belong to the person.
    throw error instanceof ProviderError ? refuse('a sign-in of the person with the claim sub would be refused') : error
  })
  await requireMember(context, provider, userId)
  return userId
}

async function findAccount(context: VouchingContext, provider: AgentProvider, assertion: ProviderAssertion): Promise<string> {
  const { pool } = context.database
  await requireOwnOrganization(pool, provider, assertion)
  const identity = await findIdentity(pool, provider, assertion)
  if (identity) {
    if (await requiresProof(pool, provider, identity))
      throw refuse('the person with the claim sub must sign in through the identity provider first')
    return identity.userId
  }
  const userId = provider.team.linksAgentsByAddress
    ? await inTransaction(context.database, (transaction) => linkVouched(transaction, context, { provider, assertion }))
    : null
  if (userId === null) throw refuse('no account is linked to the claim sub: the person must sign in through the identity provider first')
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

async function requireMember(context: VouchingContext, { team: { id, teamId } }: AgentProvider, userId: string): Promise<void> {
  const [state] = await memberState(context.database.pool, userId, teamId, id, context.now())
  if (!state || state.isDisabled) throw refuse('the account of the person with the claim sub is disabled')
  if (!state.isMember) throw refuse('the person with the claim sub is not a member of the team')
  if (state.lacksTwoFactor) throw refuse('the person with the claim sub lacks the two-factor authentication that the team requires')
  if (isSignInOverdue(state.requiredSignInAt, context))
    throw refuse('the person with the claim sub lacks the sign-in through another identity provider that the team requires')
}

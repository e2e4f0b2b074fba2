import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { forbidden } from '../errors.ts'
import type { Context } from '../context.ts'
import type { Principal, SignIns } from '../principals.ts'

// The provider of a team vouches for that team alone: its administrators could sign in as any of its users. A session in which the user has
// not proved the account can access only those teams (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches).

/** SQL for the teams that a session can access: NULL for all teams of its user. The argument is the alias of `sessions`. */
export const sessionTeamIds = (session: string): string =>
  `CASE WHEN ${session}.own_proof THEN NULL ELSE limited_team_ids(${session}.provider_ids, ${session}.user_id) END`

/** SQL for the teams that vouch for the user of a session. */
export const vouchedTeamIds = (session: string): string =>
  `CASE WHEN ${session}.provider_ids = '{}' THEN '{}' ELSE vouched_team_ids(${session}.provider_ids) END`

const findSignIns = (principal: Principal): SignIns | null => (principal.kind === 'user' ? principal.signIns : null)

/** Returns true if the caller is a session that can access only some teams of its user, and not the account. */
export const isLimitedSession = (principal: Principal): boolean => findSignIns(principal)?.isLimited === true

/** Returns true if the caller has proved the account, so that not only providers of teams vouch for the user. */
export const hasOwnProof = (principal: Principal): boolean => findSignIns(principal)?.hasOwnProof !== false

/**
 * Throws `own_proof_required` unless the user has proved the account in this session. For an account that a team created, the sessions of
 * its provider suffice, except to connect the account to another team: from then on, the provider must not suffice.
 */
export function requireOwnProof({ principal }: Context, teamId: string | null = null): void {
  const signIns = principal && findSignIns(principal)
  if (signIns && !signIns.hasOwnProof && !(teamId !== null && signIns.vouchedTeamIds.includes(teamId)))
    throw forbidden('own_proof_required')
}

/** An identity provider that vouches for the user of a session, and its team. */
export interface VouchingProvider {
  provider: string
  team: string
}

const vouchingProviders = statement<VouchingProvider, [ids: readonly string[]]>(
  'vouching_providers',
  `SELECT p.name AS provider, t.name AS team FROM identity_providers p JOIN teams t ON t.id = p.team_id AND t.deleted_at IS NULL
   WHERE p.id = ANY ($1::uuid[]) AND p.disabled_at IS NULL ORDER BY t.name, p.name`,
)

/** Returns the providers that vouch for the caller; null unless the caller is a session that can access only their teams. */
export async function findVouchingProviders({ database }: Context, principal: Principal): Promise<readonly VouchingProvider[] | null> {
  const signIns = findSignIns(principal)
  return signIns?.isLimited === true ? vouchingProviders(database.pool, signIns.providerIds) : null
}

/** The sign-ins at a provider that become invalid: of all users, or of one user or the users of one domain. */
interface EndedSignIns {
  /** The team whose providers are affected, or one provider. */
  of: { teamId: string } | { providerId: string }
  userId?: string
  domain?: string
}

const endSignIns = statement<object, [teamId: string | null, providerId: string | null, userId: string | null, domain: string | null]>(
  'end_sign_ins_at_provider',
  `UPDATE sessions s SET provider_ids = ARRAY(SELECT unnest(s.provider_ids) EXCEPT SELECT unnest(ended.ids))
   FROM (SELECT i.user_id, array_agg(p.id) AS ids FROM identity_providers p JOIN external_identities i ON i.provider_id = p.id
       JOIN users u ON u.id = i.user_id
     WHERE (p.team_id = $1::uuid OR p.id = $2::uuid) AND ($3::uuid IS NULL OR i.user_id = $3)
       AND ($4::text IS NULL OR $4 IN (substring(u.email FROM '[^@]*$'), substring(i.email FROM '[^@]*$')))
     GROUP BY i.user_id) AS ended
   WHERE s.user_id = ended.user_id AND s.provider_ids && ended.ids`,
)

/** Ends sign-ins at a provider that was disabled, deleted or no longer vouches for the user, from the next request of a session on. */
export function endSignInsAtProvider(transaction: Transaction, { of, userId, domain }: EndedSignIns): void {
  const [teamId, providerId] = 'teamId' in of ? [of.teamId, null] : [null, of.providerId]
  transaction.defer(endSignIns(transaction, teamId, providerId, userId ?? null, domain ?? null))
}

import type { SocialProvider } from '../../../../prisma/generated/client/enums.ts'
import { statement } from '../../../../prisma/statement/statement.ts'
import type { Executor } from '../../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import type { ProviderAssertion } from '../../protocol.ts'
import { toProviderColumns } from '../sign-in-provider.ts'
import type { SignInProvider } from '../sign-in-provider.ts'

type Keys = [providerId: string | null, social: SocialProvider | null, subject: string]
const listKeys = (provider: SignInProvider, { subject }: ProviderAssertion): Keys => {
  const { providerId, social } = toProviderColumns(provider)
  return [providerId, social, subject]
}

const takeIdentityLock = statement<object, Keys>(
  'lock_external_identity',
  `SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', $1::uuid, $2::"SocialProvider", $3::text), 0))`,
)

/** Serializes the sign-ins of one identity, so that two simultaneous ones do not create two accounts. */
export const lockIdentity = (transaction: Transaction, provider: SignInProvider, assertion: ProviderAssertion) =>
  takeIdentityLock(transaction, ...listKeys(provider, assertion))

/** An identity that is linked to an account. */
export interface LinkedIdentity {
  id: string
  userId: string
  /** True if the account must be proved: the provider has another key, or the issuer of the identity was not stored. */
  needsProof: boolean
}

// One of the first two parameters is null, which matches no row.
const linkedIdentity = statement<LinkedIdentity, [...Keys, issuer: string]>(
  'known_external_identity',
  `SELECT id, user_id AS "userId", needs_proof OR issuer <> $4 AS "needsProof" FROM external_identities
   WHERE subject = $3 AND (provider_id = $1::uuid OR social = $2::"SocialProvider" AND issuer IN ($4, '')) ORDER BY issuer DESC LIMIT 1`,
)

/** Returns the account of an identity, or null if it is unknown. */
export async function findIdentity(
  executor: Executor,
  provider: SignInProvider,
  assertion: ProviderAssertion,
): Promise<LinkedIdentity | null> {
  const [identity] = await linkedIdentity(executor, ...listKeys(provider, assertion), assertion.issuer)
  return identity ?? null
}

const identityOfUser = statement<object, [userId: string, providerId: string | null, social: SocialProvider | null]>(
  'identity_of_user_at_provider',
  `SELECT FROM external_identities WHERE user_id = $1 AND (provider_id = $2::uuid OR social = $3::"SocialProvider") LIMIT 1`,
)

/** Returns true if a locked account has an identity at a provider. It has one at most. */
export async function hasIdentity(executor: Executor, provider: SignInProvider, userId: string): Promise<boolean> {
  const { providerId, social } = toProviderColumns(provider)
  return (await identityOfUser(executor, userId, providerId, social)).length > 0
}

const updateLastUse = statement<object, [id: string, issuer: string, email: string | null, now: Date, isProved: boolean]>(
  'record_external_sign_in',
  `UPDATE external_identities SET issuer = $2, email = $3, last_sign_in_at = $4, needs_proof = needs_proof AND NOT $5 WHERE id = $1`,
)

/** Records a sign-in through a linked identity, and whether the person has also proved the account. */
export const recordSignIn = (
  transaction: Transaction,
  { id }: LinkedIdentity,
  { issuer, email }: ProviderAssertion,
  { now, isProved = false }: { now: Date; isProved?: boolean },
) => updateLastUse(transaction, id, issuer, email, now, isProved)

const insertIdentityRow = statement<object, [...Keys, issuer: string, userId: string, email: string | null, now: Date]>(
  'link_external_identity',
  `INSERT INTO external_identities (provider_id, social, subject, issuer, user_id, email, created_at, last_sign_in_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
)

/** Links an identity to an account. The identity must be locked and unknown. */
export const insertIdentity = (
  transaction: Transaction,
  provider: SignInProvider,
  assertion: ProviderAssertion,
  userId: string,
  now: Date,
) => insertIdentityRow(transaction, ...listKeys(provider, assertion), assertion.issuer, userId, assertion.email, now)

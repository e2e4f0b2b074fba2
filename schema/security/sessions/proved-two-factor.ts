import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { SignInProof } from '../../core/browser-session.ts'
import type { UserPrincipal } from '../../core/principals.ts'

// Each session records what was proved in it, because an account can get a second factor after the start of a session. Such a session is
// neither recent nor sufficient for a team that requires two-factor authentication (docs/decisions/accounts.md#what-a-session-has-proved).

/** Returns true if a sign-in proves two factors. A passkey does so alone; a trusted device, by the sign-in in which it was trusted. */
export const provesTwoFactor = ({ methods, skippedSecondFactor = false }: Pick<SignInProof, 'methods' | 'skippedSecondFactor'>): boolean =>
  skippedSecondFactor || methods.some((method) => method !== 'pwd')

/** Records that the user has turned on the second factor in this session, with a code or a passkey that the session has received. */
export const recordProof = (transaction: Transaction, { user, credentialId }: UserPrincipal): void =>
  transaction.defer(markProved(transaction, user.id, credentialId))

/** Deletes the proofs after the second factor was turned off, so that a later one is unproved in every session. */
export const forgetProofs = (transaction: Transaction, userId: string): void => transaction.defer(unmarkProved(transaction, userId))

const markProved = statement<object, [userId: string, sessionId: string]>(
  'record_two_factor_proof',
  'UPDATE sessions SET proved_two_factor = true WHERE user_id = $1 AND id::text = $2',
)
const unmarkProved = statement<object, [userId: string]>(
  'forget_two_factor_proofs',
  'UPDATE sessions SET proved_two_factor = false WHERE user_id = $1 AND proved_two_factor',
)

import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { SignInProof } from '../../core/browser-session.ts'
import type { UserPrincipal } from '../../core/principals.ts'

// What a session has proved is recorded in the session: an account can get a second factor after a session of it began, which then is
// neither recent nor enough for a team that requires two-factor authentication (docs/decisions/accounts.md#what-a-session-has-proved).

/** Whether a sign-in proves two factors. A passkey does alone; a trusted device does by the sign-in in which it was trusted. */
export const provesTwoFactor = ({ methods, skippedSecondFactor = false }: Pick<SignInProof, 'methods' | 'skippedSecondFactor'>): boolean =>
  skippedSecondFactor || methods.some((method) => method !== 'pwd')

/** The user has turned on the second factor in this session, with a code or a passkey that the session has received. */
export const recordProof = (transaction: Transaction, { user, credentialId }: UserPrincipal): void =>
  transaction.defer(markProved(transaction, user.id, credentialId))

/** The second factor was turned off: another one that the user turns on later is still unproved in every session. */
export const forgetProofs = (transaction: Transaction, userId: string): void => transaction.defer(unmarkProved(transaction, userId))

const markProved = statement<object, [userId: string, sessionId: string]>(
  'record_two_factor_proof',
  'UPDATE sessions SET proved_two_factor = true WHERE user_id = $1 AND id::text = $2',
)
const unmarkProved = statement<object, [userId: string]>(
  'forget_two_factor_proofs',
  'UPDATE sessions SET proved_two_factor = false WHERE user_id = $1 AND proved_two_factor',
)

import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { SignInProof } from '../../core/browser-session.ts'
import type { UserPrincipal } from '../../core/principals.ts'

/**
 * Returns true if a sign-in proves the account itself, so that the session can access all of it. The provider of a team proves only that
 * the team vouches for the user, even together with a code of an authenticator app. A password and a passkey belong only to the user, who
 * also connected a public provider (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches).
 */
export const isOwnProof = ({ methods, providerId = null }: Pick<SignInProof, 'methods' | 'providerId'>): boolean =>
  providerId === null || methods.some((method) => method === 'pwd' || method === 'hwk')

const markProved = statement<object, [sessionId: string, userId: string]>(
  'record_own_proof',
  'UPDATE sessions SET own_proof = true WHERE id::text = $1 AND user_id = $2 AND NOT own_proof',
)

/** Records that the user has proved the account in the session, which continues. */
export const recordOwnProof = (executor: Executor, { credentialId, user }: UserPrincipal) => markProved(executor, credentialId, user.id)

import type { SignInProof } from '../../core/browser-session.ts'
import type { Context } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { observe } from '../../core/observation/observation.ts'
import { spendAssertion } from '../passkeys/assertion.ts'

/**
 * Returns a proof for the owner of the passkey that signed a challenge created for the same `parts`. Throws
 * `validation_failed` for any other response. Attempts are not counted: signatures cannot be enumerated.
 */
export async function verifyPasskey(context: Context, response: string, ...parts: string[]): Promise<SignInProof> {
  const userId = await spendAssertion(context.database, context, response, ...parts)
  observe('signIn', { method: 'passkey', result: userId === null ? 'failed' : 'succeeded' })
  if (userId === null) throw invalid({ response: ['The passkey was not accepted. Try again.'] })
  return { userId, methods: ['hwk'], passwordDigest: null }
}

/** Refuses the passkey of an account other than the one that must authenticate. */
export const wrongAccount = () => invalid({ response: ['This passkey belongs to another account.'] })

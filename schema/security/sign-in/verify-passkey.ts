import type { Passkey } from '../../../prisma/generated/client/client.ts'
import type { SignInProof } from '../../core/browser-session.ts'
import type { Context } from '../../core/context.ts'
import { DomainError, invalid } from '../../core/errors.ts'
import { observe } from '../../core/observation/observation.ts'
import { readCredentialId, spendAssertion } from '../passkeys/passkey-assertion.ts'

/**
 * Returns the passkey that signed a challenge created for the same `parts`. Throws `validation_failed` for any other response. Attempts are
 * not counted: signatures cannot be enumerated.
 */
export async function usePasskey(context: Context, response: string, ...parts: string[]): Promise<Passkey> {
  const passkey = await spendAssertion(context.database, context, response, ...parts)
  observe('signIn', { method: 'passkey', result: passkey === null ? 'failed' : 'succeeded' })
  if (passkey === null) throw invalid({ response: ['The passkey was not accepted. Try again.'] })
  return passkey
}

/** Returns a proof for the owner of that passkey. A refused one is recorded for the account. */
export async function verifyPasskey(context: Context, response: string, ...parts: string[]): Promise<SignInProof> {
  const { userId } = await usePasskey(context, response, ...parts).catch((error: unknown) => {
    const passkey = readCredentialId(response)
    if (error instanceof DomainError && passkey !== null)
      context.signInFailed({ account: { passkey }, method: 'passkey', reason: 'passkey_refused' })
    throw error
  })
  return { userId, methods: ['hwk'], passwordDigest: null }
}

/** Returns the error for the passkey of an account other than the one that must authenticate. */
export const wrongAccount = () => invalid({ response: ['This passkey belongs to another account.'] })

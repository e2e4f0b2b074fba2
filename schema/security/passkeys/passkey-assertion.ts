import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Passkey } from '../../../prisma/generated/client/client.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import type { Database } from '../../../prisma/connection/database.ts'
import { mayBeSignedIn } from '../../accounts/deletion/pending-deletion.ts'
import {
  createChallenge,
  spendChallenge,
  readChallenge,
  credentialRules,
  encoded,
  expected,
  orNull,
  parseJson,
  relyingPartyId,
  webauthn,
} from './webauthn.ts'
import type { Site } from './webauthn.ts'

const assertion = z.object({
  ...credentialRules,
  response: z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded, userHandle: encoded.optional() }),
})

/** Creates the options of `navigator.credentials.get()`, as JSON, for any passkey of this site. `parts` bind the response. */
export const assertionOptions = (site: Site, ...parts: string[]): string =>
  JSON.stringify({ challenge: createChallenge(site, 'sign-in', ...parts), rpId: relyingPartyId(site), userVerification: 'required' })

/** Returns the identifier of the passkey in the browser's response, in base64url; null for an invalid response. */
export const readCredentialId = (text: string): string | null => parseJson(assertion, text)?.id ?? null

/** Verifies the browser's response, records the use of the passkey and returns it; null for an invalid response. */
export async function spendAssertion({ pool, prisma }: Database, site: Site, text: string, ...parts: string[]): Promise<Passkey | null> {
  const parsed = parseJson(assertion, text)
  if (!parsed) return null
  const { userHandle, ...signed } = parsed.response
  const response: AuthenticationResponseJSON = { ...parsed, response: { ...signed, ...(userHandle !== undefined && { userHandle }) } }
  const credentialId = Buffer.from(response.id, 'base64url')
  const passkey = await prisma.passkey.findUnique({ where: { credentialId, user: mayBeSignedIn } })
  if (!passkey) return null
  const { verifyAuthenticationResponse } = await webauthn()
  const credential = { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) }
  const verified = await orNull(verifyAuthenticationResponse({ response, ...expected(site, 'sign-in', ...parts), credential }))
  const isOfUser = userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.userId
  if (!verified?.verified || !isOfUser || !(await spendChallenge(pool, readChallenge(response)))) return null
  // The update requires the verified counter: if two parallel responses have the same counter, one is from a cloned authenticator (WebAuthn
  // Level 3 §6.1.1).
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  const used = { counter: BigInt(newCounter), isBackedUp: credentialBackedUp, lastUsedAt: site.now() }
  const count = await updateRows(pool, 'passkeys', { id: passkey.id, counter: passkey.counter }, used)
  return count === 1 ? passkey : null
}

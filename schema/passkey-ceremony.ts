import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import type { Passkey } from '../prisma/generated/client/client.ts'
import { createChallenge, isChallenge, spendChallenge } from './challenge.ts'
import type { Ports } from './context.ts'

// The two ceremonies of WebAuthn: a passkey is registered, and signs in. Options go to the browser as JSON, and its
// answer comes back as JSON. The authenticator verifies the person each time: a passkey counts as two factors.

type Site = Pick<Ports, 'now' | 'deriveSecret' | 'authUrl'>

/** Loaded when the first passkey is: it is large, and the command line needs none of it. */
const webauthn = () => import('@simplewebauthn/server')
const relyingPartyId = ({ authUrl }: Site) => new URL(authUrl).hostname

/** EdDSA, ES256, RS256: what authenticators have. */
const supportedAlgorithmIDs = [-8, -7, -257]

const encoded = z.string().max(16_384)
const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
const answer = { id: encoded, rawId: encoded, type: z.literal('public-key'), clientExtensionResults: z.object({}).catch({}) }
const registration = z.object({
  ...answer,
  response: z.object({ clientDataJSON: encoded, attestationObject: encoded, transports: z.array(transport).max(8).catch([]) }),
})
const assertion = z.object({
  ...answer,
  response: z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded, userHandle: encoded.optional() }),
})

/** What the browser's `create()` is called with, as JSON. Passkeys the person has are not made again. */
export async function registrationOptions(site: Site, user: { id: string; name: string; email: string }, passkeys: readonly Passkey[]) {
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: new URL(site.authUrl).host,
    rpID: relyingPartyId(site),
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: new Uint8Array(Buffer.from(createChallenge(site, 'register', user.id), 'base64url')),
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString('base64url'),
      transports,
    })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return JSON.stringify(options)
}

/** What a passkey's row says, from the browser's answer; null for one that does not hold. */
export async function registered(transaction: Transaction, site: Site, userId: string, text: string) {
  const response = parseJson(registration, text) as RegistrationResponseJSON | null
  if (!response || !(await isUnattested(response))) return null
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await orNull(verifyRegistrationResponse({ response, supportedAlgorithmIDs, ...expected(site, 'register', userId) }))
  if (!verified?.verified) return null
  const { credential, credentialBackedUp } = verified.registrationInfo
  if (!(await spendChallenge(transaction, challengeOf(response)))) return null
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: response.response.transports ?? [],
    isBackedUp: credentialBackedUp,
  }
}

/** What the browser's `get()` is called with, as JSON; any passkey of this site will do. `parts` bind the answer. */
export const assertionOptions = (site: Site, ...parts: string[]): string =>
  JSON.stringify({ challenge: createChallenge(site, 'sign-in', ...parts), rpId: relyingPartyId(site), userVerification: 'required' })

/** The person whose passkey answered, and notes its use; null for an answer that does not hold. */
export async function spendAssertion(transaction: Transaction, site: Site, text: string, ...parts: string[]): Promise<string | null> {
  const response = parseJson(assertion, text) as AuthenticationResponseJSON | null
  const credentialId = response && Buffer.from(response.id, 'base64url')
  const passkey = credentialId && (await transaction.passkey.findUnique({ where: { credentialId, user: { disabledAt: null } } }))
  if (!passkey) return null
  const { verifyAuthenticationResponse } = await webauthn()
  const credential = { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) }
  const verified = await orNull(verifyAuthenticationResponse({ response, ...expected(site, 'sign-in', ...parts), credential }))
  const { userHandle } = response.response
  const isTheirs = userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.userId
  if (!verified?.verified || !isTheirs || !(await spendChallenge(transaction, challengeOf(response)))) return null
  // Only on the counter that was judged: of two answers at once with one counter, one is a copy's (WebAuthn §6.1.1).
  const { count } = await transaction.passkey.updateMany({
    where: { id: passkey.id, counter: passkey.counter },
    data: {
      counter: BigInt(verified.authenticationInfo.newCounter),
      isBackedUp: verified.authenticationInfo.credentialBackedUp,
      lastUsedAt: site.now(),
    },
  })
  return count === 1 ? passkey.userId : null
}

/**
 * Who made the authenticator is not asked, so a browser says nothing of it, or lets the passkey vouch for itself. Other
 * statements are refused before anybody looks at them: some name addresses to ask about their certificates.
 */
async function isUnattested({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'))
    return ['none', 'packed'].includes(decodeAttestationObject(bytes).get('fmt'))
  } catch {
    return false
  }
}

const expected = (site: Site, ...parts: string[]) => ({
  expectedChallenge: (challenge: string) => isChallenge(site, challenge, ...parts),
  expectedOrigin: site.authUrl,
  expectedRPID: relyingPartyId(site),
  requireUserVerification: true,
})

/** Verified before: it is JSON with a challenge. */
const challengeOf = ({ response }: { response: { clientDataJSON: string } }): string =>
  (JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as { challenge: string }).challenge

function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The library throws for whatever does not hold; nothing but the answer goes in, so that is what is wrong. */
const orNull = <Result>(verification: Promise<Result>): Promise<Result | null> => verification.catch(() => null)

import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Passkey } from '../../../prisma/generated/client/client.ts'
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

/** The algorithms EdDSA, ES256 and RS256, which authenticators support. */
const supportedAlgorithmIDs = [-8, -7, -257]

const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
const registration = z.object({
  ...credentialRules,
  response: z.object({ clientDataJSON: encoded, attestationObject: encoded, transports: z.array(transport).max(8).catch([]) }),
})

/** Creates the options of `navigator.credentials.create()`, as JSON. They exclude the passkeys that the user has. */
export async function registrationOptions(
  site: Site,
  user: { id: string; name: string; email: string },
  passkeys: readonly Passkey[],
): Promise<string> {
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

/** Verifies the browser's response and returns the columns of the new passkey; null for an invalid response. */
export async function verifyRegistration(transaction: Transaction, site: Site, userId: string, text: string) {
  const response: RegistrationResponseJSON | null = parseJson(registration, text)
  if (!response || !(await hasAcceptedAttestation(response))) return null
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await orNull(verifyRegistrationResponse({ response, supportedAlgorithmIDs, ...expected(site, 'register', userId) }))
  if (!verified?.verified) return null
  const { credential, credentialBackedUp } = verified.registrationInfo
  if (!(await spendChallenge(transaction, readChallenge(response)))) return null
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: response.response.transports ?? [],
    isBackedUp: credentialBackedUp,
  }
}

/**
 * The options request no attestation, so browsers send none or a self-attestation. Other formats are refused before they
 * are verified, because some contain URLs from which the verifier would load certificates.
 */
async function hasAcceptedAttestation({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'))
    return ['none', 'packed'].includes(decodeAttestationObject(bytes).get('fmt'))
  } catch {
    return false
  }
}

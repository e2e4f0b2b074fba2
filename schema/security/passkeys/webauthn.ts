import { z } from 'zod'
import type { Ports } from '../../core/ports.ts'
import { isChallenge } from './challenge.ts'

// These functions are shared by the two WebAuthn ceremonies: registration.ts creates a passkey, assertion.ts uses one. Options for the
// browser and its responses are JSON. The authenticator always verifies the user, so a passkey counts as two factors.

/** The ports that both ceremonies use. The service is the relying party. */
export type Site = Pick<Ports, 'now' | 'deriveSecret' | 'authUrl'>

/** Imports the library on first use: it is large, and the command line does not need it. */
export const webauthn = () => import('@simplewebauthn/server')

export const relyingPartyId = ({ authUrl }: Site) => new URL(authUrl).hostname

/** Rule of base64url text in a response. */
export const encoded = z.string().max(16_384)

/** The members that both responses have. */
export const credentialRules = {
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).catch({}),
}

/** Returns the values that a response must match. */
export const expected = (site: Site, ...parts: string[]) => ({
  expectedChallenge: (challenge: string) => isChallenge(site, challenge, ...parts),
  expectedOrigin: site.authUrl,
  expectedRPID: relyingPartyId(site),
  requireUserVerification: true,
})

const clientData = z.object({ challenge: z.string() })

/** Returns the challenge of a verified response, whose client data is therefore JSON with a challenge. */
export const readChallenge = ({ response }: { response: { clientDataJSON: string } }): string =>
  clientData.parse(JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())).challenge

/** Parses JSON text; null if it is not JSON or does not match the schema. */
export function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Returns null if the verification throws. The library throws for every invalid response, which is its only input. */
export const orNull = <Result>(verification: Promise<Result>): Promise<Result | null> => verification.catch(() => null)

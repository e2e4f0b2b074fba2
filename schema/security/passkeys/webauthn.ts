import { randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Ports } from '../../core/ports.ts'
import { sha256 } from '../../core/sha256.ts'

// These functions are shared by the two WebAuthn ceremonies: registration.ts creates a passkey, passkey-assertion.ts uses one. Options for
// the browser and its responses are JSON. The authenticator always verifies the user, so a passkey counts as two factors.

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

// A WebAuthn challenge (WebAuthn Level 3 §13.4.3) is random, valid for one purpose and ten minutes, and used once. Creating one stores
// nothing: it contains its own expiry and digest. Layout: 16 random bytes | 8 bytes of expiry in milliseconds | 32 bytes of keyed digest.

const minutes = 10
const expiryStart = 16
const digestStart = expiryStart + 8
const length = digestStart + 32

type Clock = Pick<Ports, 'now' | 'deriveSecret'>

/** Creates a challenge in base64url. `parts` are its purpose and, if it is bound to one, its account. */
export function createChallenge({ now, deriveSecret }: Clock, ...parts: string[]): string {
  const body = Buffer.alloc(digestStart)
  randomBytes(expiryStart).copy(body)
  body.writeBigUInt64BE(BigInt(now().getTime() + minutes * 60_000), expiryStart)
  return Buffer.concat([body, deriveSecret(...keyed(body, parts))]).toString('base64url')
}

/** Returns true if the challenge was created for these parts and has not expired. */
function isChallenge({ now, deriveSecret }: Clock, challenge: string, ...parts: string[]): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== length || bytes.toString('base64url') !== challenge) return false
  const body = bytes.subarray(0, digestStart)
  const isOurs = deriveSecret.accepted(...keyed(body, parts)).some((digest) => timingSafeEqual(bytes.subarray(digestStart), digest))
  return isOurs && readExpiry(body) > now()
}

/** Records the use of a challenge; false if it was used before. The cleanup of expired rows deletes the record. */
export async function spendChallenge(executor: Executor, challenge: string): Promise<boolean> {
  const records = await insertRecord(executor, sha256(`challenge:${challenge}`), readExpiry(Buffer.from(challenge, 'base64url')))
  return records.length === 1
}

const insertRecord = statement<object, [idHash: Buffer, expiresAt: Date]>(
  'spend_challenge',
  `INSERT INTO oidc_models (id_hash, kind, payload, expires_at) VALUES ($1, 'ReplayDetection', '{}', $2) ON CONFLICT DO NOTHING RETURNING id_hash`,
)

const readExpiry = (body: Buffer) => new Date(Number(body.readBigUInt64BE(expiryStart)))

const keyed = (body: Buffer, parts: string[]) => ['challenge', Buffer.from(JSON.stringify([body.toString('base64url'), ...parts]))] as const

import { EmbeddedJWK, calculateJwkThumbprint, jwtVerify } from 'jose'
import type { JWTVerifyResult } from 'jose'
import type { Database } from '../prisma/client.ts'
import { statement } from '../prisma/statement.ts'
import type { Credential } from '../rest-facade/bearer.ts'
import { unauthenticated } from '../schema/errors.ts'
import { sha256 } from '../schema/secret.ts'

// Access tokens that are bound to a key: whoever presents one proves anew for each request to have the key (RFC 9449).

/** JWS algorithms of proofs, at the authorization server and at the API. */
export const dpopAlgorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256'] as const

/** How far a proof's clock and ours may be apart, either way. */
const toleranceSeconds = 60

const noteProof = statement<{ noted: boolean }, [hash: Buffer, expiresAt: Date]>(
  'note_dpop_proof',
  `INSERT INTO oauth_artifacts (id_hash, kind, payload, expires_at) VALUES ($1, 'ReplayDetection', '{}', $2)
   ON CONFLICT DO NOTHING RETURNING true AS noted`,
)

/** 401 with the challenge of RFC 9449 §7.1; the detail is for the log. */
export const dpopRefusal = (error: 'invalid_token' | 'invalid_dpop_proof', detail: string) =>
  unauthenticated({ challenge: `DPoP error="${error}", algs="${dpopAlgorithms.join(' ')}"`, detail })

export interface DpopPorts {
  database: Database
  now(): Date
  /** Public addresses of the service, of which the origins count. */
  publicUrls: readonly string[]
}

/** Throws unless the credential's proof shows possession of the key with this thumbprint, for this request and for once. */
export type CheckProof = (credential: Credential, thumbprint: string) => Promise<void>

/** Checks proofs as RFC 9449 §4.3 lists it. That none is used twice is known to all processes: the database notes each. */
export function createCheckProof({ database, now, publicUrls }: DpopPorts): CheckProof {
  const origins = publicUrls.map((url) => new URL(url).origin)

  return async ({ proof, token, method, target }, thumbprint) => {
    if (proof === null) throw invalid('no proof')
    const { payload, protectedHeader } = await verified(proof, now())
    const { jti, iat, htm, htu, ath } = payload
    if (typeof jti !== 'string' || jti === '' || typeof iat !== 'number') throw invalid('jti or iat is missing')
    if (Math.abs(now().getTime() / 1000 - iat) > toleranceSeconds) throw invalid('not of this moment')
    if (htm !== method) throw invalid('for another method')
    const address = addressOf(htu)
    if (address === null || !origins.some((origin) => addressOf(target, origin) === address)) throw invalid('for another address')
    if (ath !== sha256(token).toString('base64url')) throw invalid('for another token')
    if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== thumbprint) throw invalid('of another key')
    // Last, so that nobody without a token and its key can make the database remember anything.
    const expiresAt = new Date((iat + 2 * toleranceSeconds) * 1000)
    const noted = await noteProof(database.pool, sha256(`dpop:${thumbprint}${jti}`), expiresAt)
    if (noted.length === 0) throw invalid('used before')
  }
}

const invalid = (detail: string) => dpopRefusal('invalid_dpop_proof', detail)

/** The proof's claims; its signature is by the key in its own header. */
async function verified(proof: string, currentDate: Date): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(proof, EmbeddedJWK, { algorithms: [...dpopAlgorithms], typ: 'dpop+jwt', currentDate })
  } catch (error) {
    // Nothing but the proof goes in, so whatever is wrong is wrong with it: a key of no use is told by a TypeError.
    throw invalid(error instanceof Error ? error.message : 'not a proof')
  }
}

/** An address as it is compared, without query and fragment (RFC 9449 §4.3); null for none. */
function addressOf(value: unknown, base?: string): string | null {
  const url = typeof value === 'string' ? URL.parse(value, base) : null
  return url && `${url.origin}${url.pathname}`
}

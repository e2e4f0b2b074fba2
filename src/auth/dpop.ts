import { EmbeddedJWK, calculateJwkThumbprint, jwtVerify } from 'jose'
import type { JWTVerifyResult } from 'jose'
import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Credential } from '../../rest-facade/http/bearer.ts'
import { unauthenticated } from '../../schema/core/errors.ts'
import type { ErrorDetails } from '../../schema/core/errors.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { findRefusedParameter } from '../../schema/oauth/issuers.ts'

// Access tokens that are bound to a key. The client proves possession of the key with each request (RFC 9449).

/** JWS algorithms accepted in proofs, by the authorization server and the API. */
export const dpopAlgorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256'] as const

/** Maximum difference between the client's clock and ours, in both directions. */
const toleranceSeconds = 60

// This is SQL for the compare-and-set: one statement decides which of several requests with the same proof is the first.
const recordProof = statement<{ isFirstUse: boolean }, [hash: Buffer, expiresAt: Date]>(
  'record_dpop_proof',
  `INSERT INTO oidc_models (id_hash, kind, payload, expires_at) VALUES ($1, 'ReplayDetection', '{}', $2)
   ON CONFLICT DO NOTHING RETURNING true AS "isFirstUse"`,
)

/** Creates a 401 with the challenge of RFC 9449 §7.1. The detail is for the log. */
export const dpopRefusal = (error: 'invalid_token' | 'invalid_dpop_proof', detail: string, more?: Pick<ErrorDetails, 'errorDescription'>) =>
  unauthenticated({ challenge: `DPoP error="${error}", algs="${dpopAlgorithms.join(' ')}"`, detail, ...more })

export interface DpopPorts {
  database: Database
  now(): Date
  /** Public URLs of the service. A proof must be for one of their origins. */
  publicUrls: readonly string[]
}

/** Throws unless the credential has a proof for the key with this thumbprint and for this request, and the proof was not used before. */
export type CheckProof = (credential: Credential, thumbprint: string) => Promise<void>

/** Checks proofs as RFC 9449 §4.3 requires. The database stores used proofs, so that all processes detect them. */
export function createCheckProof({ database, now, publicUrls }: DpopPorts): CheckProof {
  const origins = publicUrls.map((url) => new URL(url).origin)

  return async ({ proof, token, method, target }, thumbprint) => {
    if (proof === null) throw invalid('the proof is missing')
    const { payload, protectedHeader } = await verifyProof(proof, now())
    const { jti, iat, htm, htu, ath } = payload
    if (typeof jti !== 'string' || jti === '' || typeof iat !== 'number') throw invalid('jti or iat is missing')
    if (Math.abs(now().getTime() / 1000 - iat) > toleranceSeconds) throw invalid('iat is too far from the current time')
    if (htm !== method) throw invalid('the proof is for another method')
    const url = comparableUrl(htu)
    if (url === null || !origins.some((origin) => comparableUrl(target, origin) === url)) throw invalid('the proof is for another URL')
    if (ath !== sha256(token).toString('base64url')) throw invalid('the proof is for another token')
    if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== thumbprint)
      throw invalid('the proof is signed by another key')
    // This is the last step, so that only a caller with the token and its key can add rows to the database.
    const expiresAt = new Date((iat + 2 * toleranceSeconds) * 1000)
    const recorded = await recordProof(database.pool, sha256(`dpop:${thumbprint}${jti}`), expiresAt)
    if (recorded.length === 0) throw invalid('the proof was used before')
  }
}

const invalid = (detail: string) => dpopRefusal('invalid_dpop_proof', detail)

/** Verifies the signature with the key in the proof's own header, and returns its claims. */
async function verifyProof(proof: string, currentDate: Date): Promise<JWTVerifyResult> {
  try {
    const verified = await jwtVerify(proof, EmbeddedJWK, { algorithms: [...dpopAlgorithms], typ: 'dpop+jwt', currentDate })
    const parameter = findRefusedParameter(verified.protectedHeader)
    if (parameter !== null) throw new Error(`the proof must not have the header parameter ${parameter}`)
    return verified
  } catch (error) {
    // Only the proof can be the cause, whatever the class of the error: an unusable key causes a TypeError.
    throw invalid(error instanceof Error ? error.message : 'the proof cannot be verified')
  }
}

/** Returns a URL without query and fragment, as proofs are compared (RFC 9449 §4.3). Null if it is not a URL, or has user information. */
function comparableUrl(value: unknown, base?: string): string | null {
  const url = typeof value === 'string' ? URL.parse(value, base) : null
  return url?.username === '' && url.password === '' ? `${url.origin}${url.pathname}` : null
}

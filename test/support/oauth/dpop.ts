import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { JWK } from 'jose'
import { expect } from 'vitest'
import { accessToken, createGrant } from './oauth-rows.ts'
import { request } from '../http/request.ts'
import { resourceMetadataOf } from '../http/resource-metadata.ts'
import type { TestService } from '../service/service.ts'
import { createOwnedTeam } from '../data/team.ts'

/** Creates a key pair to which access tokens can be bound. */
export function createKey(algorithm = 'ES256') {
  const { privateKey, publicKey } = generateKeyPair(algorithm)
  const jwk: JWK = publicKey.export({ format: 'jwk' })
  return { algorithm, privateKey, jwk, privateJwk: privateKey.export({ format: 'jwk' }), thumbprint: thumbprintOf(jwk) }
}
export type Key = ReturnType<typeof createKey>

function generateKeyPair(algorithm: string) {
  if (/^(RS|PS)/.test(algorithm)) return generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (algorithm.startsWith('Ed')) return generateKeyPairSync('ed25519')
  return generateKeyPairSync('ec', { namedCurve: `P-${algorithm.slice(2)}` })
}

/** JWK thumbprint: the digest of the required members in alphabetical order (RFC 7638 §3.2). */
function thumbprintOf(jwk: JWK): string {
  const members = Object.fromEntries(
    ['crv', 'e', 'kty', 'n', 'x', 'y'].flatMap((name) => Object.entries(jwk).filter(([member]) => member === name)),
  )
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}

interface ProofTarget {
  token: string
  method: string
  /** URL of the request, with its query. */
  url: string
  now: Date
}

export const tokenDigest = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Creates a DPoP proof (RFC 9449 §4.2). `claims` and `header` override members; undefined removes one. */
export function createProof(
  key: Key,
  { token, method, url, now }: ProofTarget,
  claims: Record<string, unknown> = {},
  header: object = {},
): Promise<string> {
  const { origin, pathname } = new URL(url)
  const payload = {
    jti: randomUUID(),
    iat: Math.floor(now.getTime() / 1000),
    htm: method,
    htu: `${origin}${pathname}`,
    ath: tokenDigest(token),
  }
  const protectedHeader = { alg: key.algorithm, typ: 'dpop+jwt', jwk: key.jwk, ...header }
  return new SignJWT({ ...payload, ...claims }).setProtectedHeader(protectedHeader).sign(key.privateKey)
}

/** The algorithms that the `algs` parameter of a DPoP challenge lists. */
export const algorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256']

/** Functions that request GET /api/v1/teams with tokens bound to a key, and that check the response. */
export function dpopAt(service: TestService, key: Key) {
  const path = '/api/v1/teams'
  const url = `${service.url}${path}`
  return {
    path,
    url,
    /** Creates a team and an access token of its owner that is bound to a key. */
    async createBoundToken({ thumbprint: jkt }: Pick<Key, 'thumbprint'> = key) {
      const { team, owner } = await createOwnedTeam(service.database)
      const grant = await createGrant(service.database, owner)
      return { team, owner, grant, token: await accessToken(service.database, grant, { jkt }) }
    },
    send: (token: string, proof: string | null, target = path, scheme = 'DPoP') =>
      request(service, 'GET', target, { headers: { Authorization: `${scheme} ${token}`, ...(proof !== null && { DPoP: proof }) } }),
    proofFor: (token: string, claims: Record<string, unknown> = {}, header: object = {}, signingKey = key) =>
      createProof(signingKey, { token, method: 'GET', url, now: service.clock.now() }, claims, header),
    /** Checks that the request was rejected as unauthenticated and returns the challenge. */
    async expectUnauthenticated(response: ReturnType<typeof request>) {
      const { status, headers, body } = await response
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.', code: 'unauthenticated', request_id: expect.any(String) }])
      return headers.get('www-authenticate')
    },
    /** The expected challenge for both schemes. */
    challenge(error: string, bearerParameters = '', resource: 'api' | 'graphql' = 'api') {
      const metadata = resourceMetadataOf(service.url, resource)
      return `DPoP error="${error}", algs="${algorithms.join(' ')}", ${metadata}, Bearer realm="${service.url}"${bearerParameters}, ${metadata}`
    },
  }
}

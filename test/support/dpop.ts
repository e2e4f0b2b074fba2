import { createHash, randomUUID } from 'node:crypto'
import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { expect } from 'vitest'
import { accessToken, createGrant } from './oauth-rows.ts'
import { request } from './request.ts'
import type { TestService } from './service.ts'
import { createOwnedTeam } from './team.ts'

/** A key that access tokens can be bound to. */
export async function createKey(algorithm = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { algorithm, privateKey, jwk, privateJwk: await exportJWK(privateKey), thumbprint: await calculateJwkThumbprint(jwk) }
}
export type Key = Awaited<ReturnType<typeof createKey>>

interface ProofFor {
  token: string
  method: string
  /** The address of what is asked for, query and all. */
  url: string
  now: Date
}

export const tokenDigest = (token: string) => createHash('sha256').update(token).digest('base64url')

/** A proof as RFC 9449 §4.2 makes it, with what a test changes of its claims and header; undefined leaves one out. */
export function createProof(
  key: Key,
  { token, method, url, now }: ProofFor,
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

/** The algorithms that challenges name. */
export const algorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256']

/** Requests for teams with tokens that are bound to a key, and what is answered where one is refused. */
export function dpopAt(service: TestService, key: Key) {
  const path = '/api/v1/teams'
  const url = `${service.url}${path}`
  return {
    path,
    url,
    /** A person’s team, and a token that reaches it. */
    async bound({ thumbprint: jkt }: Pick<Key, 'thumbprint'> = key) {
      const { team, owner } = await createOwnedTeam(service.database)
      const grant = await createGrant(service.database, owner)
      return { team, owner, grant, token: await accessToken(service.database, grant, { jkt }) }
    },
    ask: (token: string, proof: string | null, target = path, scheme = 'DPoP') =>
      request(service, 'GET', target, { headers: { Authorization: `${scheme} ${token}`, ...(proof !== null && { DPoP: proof }) } }),
    proofFor: (token: string, claims: Record<string, unknown> = {}, header: object = {}, by = key) =>
      createProof(by, { token, method: 'GET', url, now: service.clock.now() }, claims, header),
    /** The challenge of a refusal. */
    async refused(answer: ReturnType<typeof request>) {
      const { status, headers, body } = await answer
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.', code: 'unauthenticated', request_id: expect.any(String) }])
      return headers.get('www-authenticate')
    },
    challenge: (error: string, ofBearer = '') =>
      `DPoP error="${error}", algs="${algorithms.join(' ')}", Bearer realm="${service.url}"${ofBearer}`,
  }
}

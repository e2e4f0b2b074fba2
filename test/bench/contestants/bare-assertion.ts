import { createLocalJWKSet, jwtVerify } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { Refusal } from './checks.ts'

interface Condition {
  claim: string
  value: string
}

/** The keys of issuers, read once. */
const keys = new Map<string, ReturnType<typeof createLocalJWKSet>>()

async function keysOf(issuer: string) {
  const known = keys.get(issuer)
  if (known) return known
  const { jwks_uri: url }: { jwks_uri: string } = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
  const set: JSONWebKeySet = await (await fetch(url)).json()
  const found = createLocalJWKSet(set)
  keys.set(issuer, found)
  return found
}

/** Verifies an ID token as the service does, with jose, and returns its identifier and expiry. */
export async function verifyBare(
  assertion: string,
  { issuer, conditions }: { issuer: string; conditions: readonly Condition[] },
  audience: string,
): Promise<{ jti: string; exp: number }> {
  const requiredClaims = ['jti', 'exp', 'iat']
  const options = { issuer, audience, requiredClaims, clockTolerance: 30, algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'] }
  const { payload } = await jwtVerify(assertion, await keysOf(issuer), options).catch(() => {
    throw new Refusal(400, 'invalid_grant')
  })
  const { jti = '', exp = 0 } = payload
  if (exp > Date.now() / 1000 + 3630 || conditions.some(({ claim, value }) => payload[claim] !== value))
    throw new Refusal(400, 'invalid_grant')
  return { jti, exp }
}

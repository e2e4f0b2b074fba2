import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** ID tokens of an issuer, of which each request sends a new one. */
export interface Assertions {
  /** In PEM. */
  privateKey: string
  claims: Record<string, string>
}

const keys = new Map<string, KeyObject>()
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'RS256', kid: 'bench', typ: 'JWT' })

/** Signs an ID token with a new `jti`. */
export function newAssertion({ privateKey: pem, claims }: Assertions): string {
  const key = keys.get(pem) ?? createPrivateKey(pem)
  keys.set(pem, key)
  const iat = Math.floor(Date.now() / 1000)
  const input = `${header}.${encode({ ...claims, jti: randomUUID(), iat, nbf: iat, exp: iat + 300 })}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

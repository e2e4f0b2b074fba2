import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { ExternalSigningKey } from 'oidc-provider'

const signInThread = promisify(sign)

/**
 * A key with which oidc-provider signs, by Node's own functions instead of WebCrypto, which hands every signature to a thread. For
 * ES256 that costs more than the signature itself, and on a busy machine the request waits until the thread has its turn.
 * RS256 takes six times as long and would delay other requests, so a thread signs.
 */
export class SigningKey extends ExternalSigningKey {
  readonly #jwk: JWK
  readonly #privateKey
  readonly #publicKey

  constructor(jwk: JWK) {
    super()
    this.#jwk = jwk
    this.#privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
    this.#publicKey = createPublicKey(this.#privateKey)
  }

  override get kid() {
    return this.#jwk.kid
  }

  override get alg() {
    return this.#jwk.alg
  }

  override keyObject() {
    return this.#publicKey
  }

  override sign(data: Uint8Array): Uint8Array | Promise<Uint8Array> {
    // RFC 7518 §3.4: the two numbers of the signature one after the other, not in DER.
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const
    return this.alg === 'ES256' ? sign('sha256', data, key) : signInThread('sha256', data, key)
  }
}

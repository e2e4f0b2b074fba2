import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { ExternalSigningKey } from 'oidc-provider'

const signInThread = promisify(sign)

/**
 * A key with which oidc-provider signs by Node's own functions. WebCrypto hands every signature to a thread. For ES256 that costs more than
 * the signature itself, and on a busy machine the request waits until the thread has its turn. RS256 takes six times as long and would
 * delay other requests, so a thread signs.
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
    return this.alg === 'ES256' ? withoutDer(sign('sha256', data, this.#privateKey)) : signInThread('sha256', data, this.#privateKey)
  }
}

/**
 * Converts a signature by P-256 from DER to its two numbers of 32 bytes one after the other (RFC 7518 §3.4). Node's option `dsaEncoding`
 * does the same, but then builds two errors that it catches, which takes as long as the signature.
 */
function withoutDer(signature: Buffer): Buffer {
  const first = 4
  const second = first + (signature[first - 1] ?? 0) + 2
  const numbers = [signature.subarray(first, second - 2), signature.subarray(second)]
  // DER omits leading zeros, and adds one where the first bit is set.
  return Buffer.concat(numbers.flatMap((number) => [Buffer.alloc(Math.max(32 - number.length, 0)), number.subarray(-32)]))
}

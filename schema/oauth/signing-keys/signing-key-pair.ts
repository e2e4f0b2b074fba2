import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { JWK } from 'jose'
import type { Prisma, SigningKey } from '../../../prisma/generated/client/client.ts'
import type { Ports } from '../../core/ports.ts'
import { decrypt, encrypt, reencrypt } from '../../core/encryption.ts'
import type { SigningAlgorithm } from './signing-algorithm.ts'

// This file generates, encrypts and decrypts signing keys. The public JWK is stored as it is published, the private one encrypted under
// SECRET_KEY.

/** The columns of a key, without its times. */
export interface KeyPair {
  kid: string
  algorithm: SigningAlgorithm
  publicJwk: Prisma.InputJsonObject
  encryptedPrivateJwk: Buffer<ArrayBuffer>
}

type EncryptionPorts = Pick<Ports, 'deriveSecret'>

/** Generates a key pair: P-256 for ES256, 2048 bits for RS256. The `kid` is the JWK thumbprint (RFC 7638). */
export async function createKeyPair(algorithm: SigningAlgorithm, ports: EncryptionPorts): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true })
  const exported = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(exported)
  const parameters = { kid, use: 'sig', alg: algorithm }
  const privateJwk = Buffer.from(JSON.stringify({ ...(await exportJWK(privateKey)), ...parameters }))
  return {
    kid,
    algorithm,
    publicJwk: { ...exported, ...parameters },
    encryptedPrivateJwk: encrypt(ports.deriveSecret(...keyed(kid)), privateJwk, Buffer.from(kid)),
  }
}

/** Returns the private JWK of a stored key. Throws a one-line error for the operator if it was encrypted under another SECRET_KEY. */
export function decryptPrivateJwk(
  { kid, encryptedPrivateJwk }: Pick<SigningKey, 'kid' | 'encryptedPrivateJwk'>,
  ports: EncryptionPorts,
): JWK {
  try {
    return JSON.parse(decrypt(ports.deriveSecret.accepted(...keyed(kid)), encryptedPrivateJwk, Buffer.from(kid)).toString())
  } catch (cause) {
    throw new Error(`SECRET_KEY differs from the one that encrypted the signing keys of this database: key ${kid} cannot be decrypted`, {
      cause,
    })
  }
}

/** Encrypts the private JWK of a stored key under the current SECRET_KEY; null if no key fits. */
export const reencryptPrivateJwk = (
  { kid, encryptedPrivateJwk }: Pick<SigningKey, 'kid' | 'encryptedPrivateJwk'>,
  { deriveSecret }: EncryptionPorts,
) => reencrypt(deriveSecret.accepted(...keyed(kid)), encryptedPrivateJwk, Buffer.from(kid))

const keyed = (kid: string) => ['signing-key', Buffer.from(kid)] as const

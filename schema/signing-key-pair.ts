import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { JWK } from 'jose'
import type { Prisma, SigningKey } from '../prisma/generated/client/client.ts'
import type { Ports } from './context.ts'
import { open, seal } from './sealed.ts'
import type { SigningAlgorithm } from './signing-algorithm.ts'

// A key pair as it is made, stored and read back: the public half as it is published, the private one sealed under
// SECRET_KEY.

/** The columns of a key that do not depend on when it signs. */
export interface KeyPair {
  kid: string
  algorithm: SigningAlgorithm
  publicJwk: Prisma.InputJsonObject
  encryptedPrivateJwk: Buffer<ArrayBuffer>
}

type SealPorts = Pick<Ports, 'deriveSecret'>

/** Makes a key pair: P-256 for ES256, 2048 bits for RS256; the `kid` is its thumbprint (RFC 7638). */
export async function createKeyPair(algorithm: SigningAlgorithm, ports: SealPorts): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true })
  const bare = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(bare)
  const told = { kid, use: 'sig', alg: algorithm }
  const privateJwk = Buffer.from(JSON.stringify({ ...(await exportJWK(privateKey)), ...told }))
  return {
    kid,
    algorithm,
    publicJwk: { ...bare, ...told },
    encryptedPrivateJwk: seal(sealKey(kid, ports), privateJwk, Buffer.from(kid)),
  }
}

/** The private JWK of a stored key; throws, in one line for the operator, under another SECRET_KEY than it was made under. */
export function openPrivateJwk({ kid, encryptedPrivateJwk }: Pick<SigningKey, 'kid' | 'encryptedPrivateJwk'>, ports: SealPorts): JWK {
  try {
    return JSON.parse(open(sealKey(kid, ports), encryptedPrivateJwk, Buffer.from(kid)).toString()) as JWK
  } catch (cause) {
    throw new Error(`SECRET_KEY is not the one that the signing keys of this database were stored under: key ${kid} does not open`, {
      cause,
    })
  }
}

const sealKey = (kid: string, { deriveSecret }: SealPorts) => deriveSecret('signing-key', Buffer.from(kid))

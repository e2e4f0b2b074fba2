import { setTimeout as pause } from 'node:timers/promises'
import type { JWK } from 'jose'
import { isUnavailable } from '../../prisma/connection/availability.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import type { Ports } from '../../schema/core/ports.ts'
import { signingAlgorithms } from '../../schema/oauth/signing-keys/signing-algorithm.ts'
import { createKeyPair, decryptPrivateJwk } from '../../schema/oauth/signing-keys/signing-key-pair.ts'
import { addFirstKeys, publishedKeys } from '../../schema/oauth/signing-keys/signing-key-rotation.ts'

interface StoredKey {
  kid: string
  algorithm: string
  /** The encrypted key, in hex. */
  encrypted: string
  signsFrom: string
  retiredAt: string | null
}
// This is SQL, because OAuth requests wait for it when the cached keys are outdated.
const storedKeys = statement<StoredKey, [now: Date]>(
  'signing_keys',
  `SELECT kid, algorithm, encode(encrypted_private_jwk, 'hex') AS encrypted, signs_from AS "signsFrom", retired_at AS "retiredAt"
   FROM signing_keys WHERE retired_at IS NULL OR retired_at > $1 ORDER BY created_at, kid`,
)

interface Key {
  kid: string
  algorithm: string
  signsFrom: Date
  retiredAt: Date | null
  privateJwk: JWK
}

/** The keys in use at one instant. */
export interface Keyring {
  /** A value that changes when the set of keys or a signing key changes. */
  fingerprint: string
  /** Private JWKs of all published keys. The signing key of each algorithm comes first. */
  jwks: { keys: JWK[] }
}

// Keys are published for an hour before they sign, so a process with this interval reads each of them in time.
const refreshMilliseconds = 10_000
const retryMilliseconds = 1000
// Time that a request waits for the database if there are cached keys. After a long time without requests, the cached keys can have missed
// a rotation, and the service would sign with a key that is no longer published. In that case the request waits.
const maxWaitMilliseconds = 250
const idleMilliseconds = 300_000

/**
 * Caches the keys of the authorization server, which all processes share through the database. The rows and the clock determine which key
 * signs. While the database is unavailable, the cached keys stay in use. `current` throws if there are none, or, with a one-line message
 * for the operator, if SECRET_KEY does not decrypt them.
 */
export function createKeyring({ database, now, deriveSecret }: Pick<Ports, 'database' | 'now' | 'deriveSecret'>) {
  let cached: readonly Key[] | null = null
  let refreshAt = 0
  let refreshing: Promise<readonly Key[]> | null = null
  let currentKeyring: Keyring | null = null

  async function refresh(): Promise<readonly Key[]> {
    try {
      cached = decrypt(await readRows(), cached ?? [])
      refreshAt = now().getTime() + refreshMilliseconds
      return cached
    } catch (error) {
      if (!cached || !isUnavailable(error)) throw error
      refreshAt = now().getTime() + retryMilliseconds
      return cached
    }
  }

  async function readRows(): Promise<StoredKey[]> {
    const rows = await storedKeys(database.pool, now())
    const missing = signingAlgorithms.filter((each) => !rows.some(({ algorithm }) => algorithm === each))
    if (missing.length === 0) return rows
    // The keys are generated before the transaction takes its lock, because generating an RSA key takes a while.
    const pairs = await Promise.all(missing.map((algorithm) => createKeyPair(algorithm, { deriveSecret })))
    await inTransaction(database, (transaction) => addFirstKeys(transaction, pairs, now))
    return storedKeys(database.pool, now())
  }

  const decrypt = (rows: readonly StoredKey[], decryptedKeys: readonly Key[]): Key[] =>
    rows.map(({ kid, algorithm, encrypted, signsFrom, retiredAt }) => ({
      kid,
      algorithm,
      signsFrom: new Date(signsFrom),
      retiredAt: retiredAt === null ? null : new Date(retiredAt),
      privateJwk:
        decryptedKeys.find((key) => key.kid === kid)?.privateJwk ??
        decryptPrivateJwk({ kid, encryptedPrivateJwk: Buffer.from(encrypted, 'hex') }, { deriveSecret }),
    }))

  function keys(): readonly Key[] | Promise<readonly Key[]> {
    const overdueMilliseconds = now().getTime() - refreshAt
    // A refresh that is further ahead than its interval was planned before the clock was set back.
    if (cached && overdueMilliseconds < 0 && overdueMilliseconds >= -refreshMilliseconds) return cached
    refreshing ??= refresh().finally(() => (refreshing = null))
    if (!cached || Math.abs(overdueMilliseconds) >= idleMilliseconds) return refreshing
    return Promise.race([refreshing, pause(maxWaitMilliseconds, cached)])
  }

  return {
    async current(): Promise<Keyring> {
      const published = publishedKeys(await keys(), now())
      const fingerprint = published.map(({ kid }) => kid).join(' ')
      if (currentKeyring?.fingerprint !== fingerprint)
        currentKeyring = { fingerprint, jwks: { keys: published.map(({ privateJwk }) => privateJwk) } }
      return currentKeyring
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { JWK } from 'jose'
import { isUnavailable } from '../../prisma/availability.ts'
import { statement } from '../../prisma/statement.ts'
import type { Ports } from '../../schema/context.ts'
import { signingAlgorithms } from '../../schema/signing-algorithm.ts'
import { createKeyPair, openPrivateJwk } from '../../schema/signing-key-pair.ts'
import { addFirstKeys, publishedKeys } from '../../schema/signing-key-rotation.ts'

interface StoredKey {
  kid: string
  algorithm: string
  /** In hex. */
  sealed: string
  signsFrom: string
  retiredAt: string | null
}
const storedKeys = statement<StoredKey, [now: Date]>(
  'signing_keys',
  `SELECT kid, algorithm, encode(encrypted_private_jwk, 'hex') AS sealed, signs_from AS "signsFrom", retired_at AS "retiredAt"
   FROM signing_keys WHERE retired_at IS NULL OR retired_at > $1 ORDER BY created_at, kid`,
)

interface Key {
  kid: string
  algorithm: string
  signsFrom: Date
  retiredAt: Date | null
  privateJwk: JWK
}

/** The keys of one moment. */
export interface Keyring {
  /** Another one whenever the keys, or which of them signs, are others. */
  fingerprint: string
  /** Private JWKs of the keys published now; of each algorithm the one that signs comes first. */
  jwks: { keys: JWK[] }
}

// Keys are published an hour before they sign: whoever reads this often knows each in time.
const rereadMilliseconds = 10_000
const retryMilliseconds = 1000
// How long a request waits for a database that may be away, where there are keys to go on with. A process that was asked
// nothing for long may have slept through a rotation, and would sign with a key that is published no more: it waits.
const patienceMilliseconds = 250
const idleMilliseconds = 300_000

/**
 * The keys of the authorization server, the same in every process: rows are read now and then, what they mean is read from
 * the clock. While the database is away those last read serve. `current` throws where none ever were, or, in one line for
 * the operator, where SECRET_KEY does not open them.
 */
export function createKeyring({ database, now, deriveSecret }: Pick<Ports, 'database' | 'now' | 'deriveSecret'>) {
  let known: readonly Key[] | null = null
  let rereadAt = 0
  let reading: Promise<readonly Key[]> | null = null
  let built: Keyring | null = null

  async function read(): Promise<readonly Key[]> {
    try {
      known = opened(await rows(), known ?? [])
      rereadAt = now().getTime() + rereadMilliseconds
      return known
    } catch (error) {
      if (!known || !isUnavailable(error)) throw error
      rereadAt = now().getTime() + retryMilliseconds
      return known
    }
  }

  async function rows(): Promise<StoredKey[]> {
    const found = await storedKeys(database.pool, now())
    const missing = signingAlgorithms.filter((each) => !found.some(({ algorithm }) => algorithm === each))
    if (missing.length === 0) return found
    // Made before the lock is taken: an RSA key takes a while to find.
    const pairs = await Promise.all(missing.map((algorithm) => createKeyPair(algorithm, { deriveSecret })))
    await database.prisma.$transaction((transaction) => addFirstKeys(transaction, pairs, now))
    return storedKeys(database.pool, now())
  }

  const opened = (found: readonly StoredKey[], before: readonly Key[]): Key[] =>
    found.map(({ kid, algorithm, sealed, signsFrom, retiredAt }) => ({
      kid,
      algorithm,
      signsFrom: new Date(signsFrom),
      retiredAt: retiredAt === null ? null : new Date(retiredAt),
      privateJwk:
        before.find((key) => key.kid === kid)?.privateJwk ??
        openPrivateJwk({ kid, encryptedPrivateJwk: Buffer.from(sealed, 'hex') }, { deriveSecret }),
    }))

  function keys(): readonly Key[] | Promise<readonly Key[]> {
    const overdue = now().getTime() - rereadAt
    // Longer ahead than that it is for a clock that was set back.
    if (known && overdue < 0 && overdue >= -rereadMilliseconds) return known
    reading ??= read().finally(() => (reading = null))
    return known && Math.abs(overdue) < idleMilliseconds ? Promise.race([reading, pause(patienceMilliseconds, known)]) : reading
  }

  return {
    async current(): Promise<Keyring> {
      const published = publishedKeys(await keys(), now())
      const fingerprint = published.map(({ kid }) => kid).join(' ')
      if (built?.fingerprint !== fingerprint) built = { fingerprint, jwks: { keys: published.map(({ privateJwk }) => privateJwk) } }
      return built
    },
  }
}

import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { readRows, signingKeyColumns } from '../../../prisma/statement/read-row.ts'
import { insertRow, updateRows } from '../../../prisma/statement/write-row.ts'
import type { SigningKey } from '../../../prisma/generated/client/client.ts'
import type { Ports } from '../../core/ports.ts'
import { invalid } from '../../core/errors.ts'
import { signingAlgorithms } from './signing-algorithm.ts'
import { decryptPrivateJwk } from './signing-key-pair.ts'
import type { KeyPair } from './signing-key-pair.ts'

// This file decides when a key signs and how long it is published. Clients cache the JWKS: the next key is published before it signs, and
// the previous one until the last ID token that it signed has expired. A rotation stores these times. After that all processes switch at
// the same time by the clock (docs/decisions/oauth.md#signing-keys).

/** A key without its material. */
export type KeyTimes = Omit<SigningKey, 'publicJwk' | 'encryptedPrivateJwk'>

type Timed = Omit<KeyTimes, 'createdAt'>

/** `next` is published, but does not sign yet. `old` no longer signs, but is published to verify the tokens that it signed. */
export type KeyState = 'next' | 'signing' | 'old' | 'retired'

/** Default time for which a key is published before it signs, which is longer than clients cache the JWKS. */
export const defaultPublishSeconds = 3600

/** Lifetime of an ID token (docs/decisions/oauth.md#lifetimes). Its key is published for longer. */
export const idTokenSeconds = 3600

// The margin covers clocks that differ, and processes that load a new key some seconds after it starts to sign.
const retirementSeconds = idTokenSeconds + 300

const isPublished = ({ retiredAt }: Timed, now: Date) => retiredAt === null || retiredAt > now

/**
 * Returns the key that signs: the latest whose `signsFrom` has passed. If there is none, the clock of the process that created the first
 * key is ahead of this one; that key signs already.
 */
function chooseSigner<Key extends Timed>(keys: readonly Key[], algorithm: string, now: Date): Key | undefined {
  const end = ({ retiredAt }: Key) => retiredAt?.getTime() ?? Number.MAX_SAFE_INTEGER
  const published = keys
    .filter((key) => key.algorithm === algorithm && isPublished(key, now))
    // If two keys sign from the same millisecond, the replaced one has an end.
    .sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime() || end(a) - end(b))
  return published.findLast(({ signsFrom }) => signsFrom <= now) ?? published[0]
}

const listSigners = <Key extends Timed>(keys: readonly Key[], now: Date): Key[] =>
  signingAlgorithms.flatMap((algorithm) => chooseSigner(keys, algorithm, now) ?? [])

/** Returns the published keys, with the signing keys first. */
export function publishedKeys<Key extends Timed>(keys: readonly Key[], now: Date): Key[] {
  const signers = listSigners(keys, now)
  return [...signers, ...keys.filter((key) => isPublished(key, now) && !signers.includes(key))]
}

/** Adds the current state to each key. */
export function withStates<Key extends Timed>(keys: readonly Key[], now: Date): (Key & { state: KeyState })[] {
  const signers = listSigners(keys, now)
  const getState = (key: Key): KeyState => {
    if (!isPublished(key, now)) return 'retired'
    if (signers.includes(key)) return 'signing'
    return key.signsFrom > now ? 'next' : 'old'
  }
  return keys.map((key) => ({ ...key, state: getState(key) }))
}

/** The lock is taken before keys are added, so that no other process changes the keys at the same time. */
const lockKeys = (transaction: Transaction) => transaction.query({ text: `SELECT pg_advisory_xact_lock(${advisoryLocks.signingKeys})` })

/** Reads all keys, by algorithm, newest first. */
export const readSigningKeys = (database: Parameters<typeof readRows>[0]): Promise<SigningKey[]> =>
  readRows<SigningKey>(database, 'all_signing_keys', storedKeys)
const storedKeys = `SELECT ${signingKeyColumns} FROM signing_keys k ORDER BY algorithm, created_at DESC, signs_from DESC, kid`

/** Adds the first key of each algorithm that has none. It signs immediately. If several processes start at once, one of them adds it. */
export async function addFirstKeys(transaction: Transaction, pairs: readonly KeyPair[], now: () => Date): Promise<void> {
  const [, stored] = await Promise.all([lockKeys(transaction), readSigningKeys(transaction)])
  const at = now()
  for (const pair of pairs) {
    if (stored.some(({ algorithm, retiredAt }) => algorithm === pair.algorithm && retiredAt === null)) continue
    transaction.defer(insertRow(transaction, 'signing_keys', { ...pair, createdAt: at, signsFrom: at }))
  }
}

/**
 * Adds the next key of each algorithm, and sets when the current one retires. Returns the new and the replaced keys. While a key with the
 * state `next` exists, another is refused, unless it signs at once: then it replaces that key.
 */
export async function rotateKeys(
  transaction: Transaction,
  pairs: readonly KeyPair[],
  { now, deriveSecret, publishSeconds }: Pick<Ports, 'now' | 'deriveSecret'> & { publishSeconds: number },
): Promise<{ added: KeyTimes[]; replaced: KeyTimes[] }> {
  const [, stored] = await Promise.all([lockKeys(transaction), readSigningKeys(transaction)])
  const at = now()
  const keys = stored.filter((key) => isPublished(key, at))
  // This call throws if SECRET_KEY differs from that of the existing keys: the service could not decrypt the new key.
  for (const key of keys) decryptPrivateJwk(key, { deriveSecret })
  const added: KeyTimes[] = []
  const replaced: KeyTimes[] = []
  for (const pair of pairs) {
    const waiting = withStates(keys, at).find(({ state, algorithm }) => state === 'next' && algorithm === pair.algorithm)
    if (waiting && publishSeconds > 0) throw invalid({ algorithm: [alreadyWaiting(waiting)] })
    if (waiting) transaction.defer(updateRows(transaction, 'signing_keys', { kid: waiting.kid }, { retiredAt: at }))
    const signer = chooseSigner(keys, pair.algorithm, at)
    const signsFrom = signer ? secondsAfter(at, publishSeconds) : at
    if (signer) {
      const retiredAt = secondsAfter(signsFrom, retirementSeconds)
      transaction.defer(updateRows(transaction, 'signing_keys', { kid: signer.kid }, { retiredAt }))
      replaced.push({ ...signer, retiredAt })
    }
    const key = { ...pair, createdAt: at, signsFrom, retiredAt: null }
    transaction.defer(insertRow(transaction, 'signing_keys', key))
    added.push(key)
  }
  return { added, replaced }
}

const alreadyWaiting = ({ algorithm, signsFrom }: Timed) =>
  `The next ${algorithm} key is published already and signs from ${signsFrom.toISOString()}; only one that signs at once can replace it.`

const secondsAfter = (instant: Date, seconds: number) => new Date(instant.getTime() + seconds * 1000)

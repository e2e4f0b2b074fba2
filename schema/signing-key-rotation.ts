import { advisoryLocks } from '../prisma/advisory-locks.ts'
import type { Transaction } from '../prisma/client.ts'
import type { SigningKey } from '../prisma/generated/client/client.ts'
import type { Ports } from './context.ts'
import { invalid } from './errors.ts'
import { signingAlgorithms } from './signing-algorithm.ts'
import { openPrivateJwk } from './signing-key-pair.ts'
import type { KeyPair } from './signing-key-pair.ts'

// When a key signs and how long it is published. Clients keep the JWKS for a while: the next key is published before it
// signs, and the one before it until the last ID token it signed has expired. Rotating writes those instants down, and
// the clock does the rest: every process changes over at the same moment, and none has to act.

type Timed = Pick<SigningKey, 'kid' | 'algorithm' | 'signsFrom' | 'retiredAt'>

/** Next: published, not yet in use. Old: no more in use, published for what it signed. */
export type KeyState = 'next' | 'signing' | 'old' | 'retired'

/** For how long a key is published before it signs, unless told: longer than clients keep the JWKS. */
export const usualPublishSeconds = 3600

/** How long an ID token lives (decisions §8), and its key after it for longer. */
export const idTokenSeconds = 3600

// The rest is for clocks that differ, and for a process that hears of a key that signs at once some seconds late.
const keepSeconds = idTokenSeconds + 300

const isPublished = ({ retiredAt }: Timed, now: Date) => retiredAt === null || retiredAt > now

/** The key that signs: the last whose time has come. A first one made by a clock ahead of this one has nobody before it. */
function signerOf<Key extends Timed>(keys: readonly Key[], algorithm: string, now: Date): Key | undefined {
  const end = ({ retiredAt }: Key) => retiredAt?.getTime() ?? Number.MAX_SAFE_INTEGER
  const published = keys
    .filter((key) => key.algorithm === algorithm && isPublished(key, now))
    // Of two that sign from the same millisecond the one that was replaced ends.
    .sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime() || end(a) - end(b))
  return published.findLast(({ signsFrom }) => signsFrom <= now) ?? published[0]
}

const signersOf = <Key extends Timed>(keys: readonly Key[], now: Date): Key[] =>
  signingAlgorithms.flatMap((algorithm) => signerOf(keys, algorithm, now) ?? [])

/** The keys published now; those that sign come first. */
export function publishedKeys<Key extends Timed>(keys: readonly Key[], now: Date): Key[] {
  const signers = signersOf(keys, now)
  return [...signers, ...keys.filter((key) => isPublished(key, now) && !signers.includes(key))]
}

/** What each key does at this moment. */
export function withStates<Key extends Timed>(keys: readonly Key[], now: Date): (Key & { state: KeyState })[] {
  const signers = signersOf(keys, now)
  const stateOf = (key: Key): KeyState => {
    if (!isPublished(key, now)) return 'retired'
    if (signers.includes(key)) return 'signing'
    return key.signsFrom > now ? 'next' : 'old'
  }
  return keys.map((key) => ({ ...key, state: stateOf(key) }))
}

/** Held by whoever adds keys, so that what they read of the others stays true. */
const lockKeys = (transaction: Transaction) => transaction.$executeRaw`SELECT pg_advisory_xact_lock(${advisoryLocks.signingKeys}::bigint)`

/** Adds the first key of each algorithm that has none, signing from now; of processes that start at once, one does. */
export async function addFirstKeys(transaction: Transaction, pairs: readonly KeyPair[], now: () => Date): Promise<void> {
  await lockKeys(transaction)
  const present = await transaction.signingKey.findMany({ where: { retiredAt: null } })
  const at = now()
  for (const pair of pairs) {
    if (present.some(({ algorithm }) => algorithm === pair.algorithm)) continue
    await transaction.signingKey.create({ data: { ...pair, createdAt: at, signsFrom: at } })
  }
}

/**
 * Adds the next key of each algorithm and says when the one before it ends; answers the new and the old ones. While a
 * next one waits another is refused, but for one that signs at once: that withdraws it.
 */
export async function rotateKeys(
  transaction: Transaction,
  pairs: readonly KeyPair[],
  { now, deriveSecret, publishSeconds }: Pick<Ports, 'now' | 'deriveSecret'> & { publishSeconds: number },
): Promise<{ added: SigningKey[]; replaced: SigningKey[] }> {
  await lockKeys(transaction)
  const at = now()
  const keys = (await transaction.signingKey.findMany()).filter((key) => isPublished(key, at))
  // Under another SECRET_KEY than theirs the new one would open to no process of the service.
  for (const key of keys) openPrivateJwk(key, { deriveSecret })
  const added = []
  const replaced = []
  for (const pair of pairs) {
    const waiting = withStates(keys, at).find(({ state, algorithm }) => state === 'next' && algorithm === pair.algorithm)
    if (waiting && publishSeconds > 0) throw invalid({ algorithm: [alreadyWaiting(waiting)] })
    if (waiting) await transaction.signingKey.update({ where: { kid: waiting.kid }, data: { retiredAt: at } })
    const signer = signerOf(keys, pair.algorithm, at)
    const signsFrom = signer ? secondsAfter(at, publishSeconds) : at
    if (signer) {
      const retiredAt = secondsAfter(signsFrom, keepSeconds)
      replaced.push(await transaction.signingKey.update({ where: { kid: signer.kid }, data: { retiredAt } }))
    }
    added.push(await transaction.signingKey.create({ data: { ...pair, createdAt: at, signsFrom } }))
  }
  return { added, replaced }
}

const alreadyWaiting = ({ algorithm, signsFrom }: Timed) =>
  `The next ${algorithm} key is published already and signs from ${signsFrom.toISOString()}; one that signs at once may take its place.`

const secondsAfter = (instant: Date, seconds: number) => new Date(instant.getTime() + seconds * 1000)

import { setTimeout as pause } from 'node:timers/promises'

// How long it is quiet after the last of several uses before the first is answered, and how long that may take in all:
// what has reached the machine by then cannot be told from what a client sends a moment later.
const quietMilliseconds = 100
const patienceMilliseconds = 1000

/** One request at the token endpoint, among others that may present the same code or token. */
export interface Use {
  /** Says what it presents, by its hash; once. */
  present(hash: Buffer): void
  /**
   * Resolves once all that is on its way with the same value is at hand: it arrived before the first was answered, and is
   * to get the same answer (decisions §8). Where no second use has come, that is at once.
   */
  gathered(): Promise<void>
  /** It is answered, or its client has gone. */
  end(): void
}

/** Tells requests at this process of those that are there at the same time. The answer begins the use of one that arrives. */
export function createParallelUses(): () => Use {
  /** Those that have not said yet what they present. */
  const unsaid = new Set<Use>()
  /** Those under way, by the hash of what they present. */
  const byHash = new Map<string, Set<Use>>()

  return () => {
    let key = ''
    const use: Use = {
      present(hash) {
        // Said before, or its client has gone.
        if (!unsaid.delete(use)) return
        key = hash.toString('hex')
        byHash.set(key, (byHash.get(key) ?? new Set()).add(use))
      },
      async gathered() {
        await everybodyHeard()
        const uses = byHash.get(key)
        if (!uses || uses.size < 2) return
        // A client that uses a token many times at once opens a connection for each: they come one after the other.
        const deadline = performance.now() + patienceMilliseconds
        for (let known = 0; (known < uses.size || unsaid.size > 0) && performance.now() < deadline;) {
          known = uses.size
          await pause(quietMilliseconds)
          await everybodyHeard()
        }
      },
      end() {
        unsaid.delete(use)
        const uses = byHash.get(key)
        uses?.delete(use)
        if (uses?.size === 0) byHash.delete(key)
      },
    }
    unsaid.add(use)
    return use
  }
}

/**
 * Lets the event loop go round until what had reached this machine meanwhile is read: a round takes a connection,
 * another its bytes; with nothing to take ten cost less than a millisecond.
 */
async function everybodyHeard(): Promise<void> {
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve))
}

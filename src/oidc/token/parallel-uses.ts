import { setTimeout as pause } from 'node:timers/promises'

// How long it is quiet after the last of several uses before the first is answered, and how long that may take in all.
const quietMilliseconds = 100
const patienceMilliseconds = 500

interface Uses {
  underWay: number
  /** All that came while any was under way. */
  begun: number
}

/** Uses of one code or token that are at this process at the same time. */
export interface ParallelUses {
  /** A request presents a value, by its hash; to be ended by what is answered. */
  begin(hash: Buffer): () => void
  /**
   * Resolves once all that is on its way with this value is at hand: it arrived before the first was answered, and is to
   * get the same answer (decisions §8). Where no second use has come, that is at once.
   */
  gathered(hash: Buffer): Promise<void>
}

export function createParallelUses(): ParallelUses {
  const byHash = new Map<string, Uses>()

  return {
    begin(hash) {
      const key = hash.toString('hex')
      const uses = byHash.get(key) ?? { underWay: 0, begun: 0 }
      byHash.set(key, uses)
      uses.underWay += 1
      uses.begun += 1
      return () => {
        uses.underWay -= 1
        if (uses.underWay === 0) byHash.delete(key)
      }
    },
    async gathered(hash) {
      await everybodyHeard()
      const uses = byHash.get(hash.toString('hex'))
      if (!uses || uses.begun < 2) return
      // A client that uses a token many times at once opens a connection for each: they come one after the other.
      const deadline = performance.now() + patienceMilliseconds
      for (let known = 0; known < uses.begun && performance.now() < deadline;) {
        known = uses.begun
        await pause(quietMilliseconds)
        await everybodyHeard()
      }
    },
  }
}

/**
 * Lets the event loop go round until what had reached this machine meanwhile is read: a round takes a connection,
 * another its bytes; with nothing to take ten cost less than a millisecond.
 */
async function everybodyHeard(): Promise<void> {
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve))
}

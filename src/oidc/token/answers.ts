import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'
import type { Ports } from '../../../schema/context.ts'
import { openIfOurs, seal } from '../../../schema/sealed.ts'
import { sha256 } from '../../../schema/secret.ts'
import type { Presence } from './presence.ts'
import type { Presented } from '../turn.ts'

// A code or token is spent once. Its answer is kept, sealed under a key that takes the spent value itself to derive, for
// those who may have it again: who asked before it had left, who lost it because the process died, and, where the
// client is registered so, who asks for a few seconds more (decisions §8).

interface StoredAnswer {
  /** In hex. */
  sealed: string
  processId: number
  /** Milliseconds since 1970. */
  spentAt: number
  deliveredAt: number | null
}

const storedAnswer = statement<StoredAnswer, [hash: Buffer]>(
  'token_answer',
  `SELECT encode(w.sealed, 'hex') AS sealed, w.process_id AS "processId", (extract(epoch FROM a.consumed_at) * 1000)::bigint AS "spentAt",
     (extract(epoch FROM w.delivered_at) * 1000)::bigint AS "deliveredAt"
   FROM oauth_answers w JOIN oauth_artifacts a ON a.id_hash = w.artifact_hash WHERE w.artifact_hash = $1`,
)
const isSpent = statement<{ spent: boolean }, [hash: Buffer]>(
  'is_spent',
  `SELECT consumed_at IS NOT NULL AS spent FROM oauth_artifacts WHERE id_hash = $1`,
)

// How long an answer of a living process may take to leave before those who wait for it get it too.
const patienceMilliseconds = 1000
const pauseMilliseconds = 10

interface AnswersPorts {
  database: Database
  deriveSecret: Ports['deriveSecret']
  presence: Pick<Presence, 'isGone'>
  now(): Date
}

export interface Answers {
  seal(presented: Presented, answer: object): Buffer
  /** The answer that was given for a spent value, whoever asks; null when none is kept. */
  given(presented: Presented): Promise<object | null>
  /** The same for a request that arrived then: null where it is mere reuse. `windowSeconds` is the client's replay window. */
  repeatable(presented: Presented, arrivedAt: Date, windowSeconds: number): Promise<object | null>
}

/** Keeps and gives out the answers of the token endpoint. */
export function createAnswers({ database, deriveSecret, presence, now }: AnswersPorts): Answers {
  const key = ({ value }: Presented) => deriveSecret('token answer', Buffer.from(value))
  const read = async ({ hash }: Presented) => (await storedAnswer(database.pool, hash))[0] ?? null

  function unseal(presented: Presented, { sealed, spentAt }: StoredAnswer): Record<string, unknown> | null {
    const text = openIfOurs(key(presented), Buffer.from(sealed, 'hex'), presented.hash)
    if (!text) return null
    const answer = JSON.parse(text.toString()) as { expires_in: number }
    const age = Math.max(Math.floor((now().getTime() - spentAt) / 1000), 0)
    return { ...answer, expires_in: Math.max(answer.expires_in - age, 0) }
  }

  /** The answer, unless the refresh token in it was used: then it did arrive. */
  async function unlessUsed(presented: Presented, stored: StoredAnswer) {
    const answer = unseal(presented, stored)
    if (typeof answer?.['refresh_token'] !== 'string') return answer
    const [successor] = await isSpent(database.pool, sha256(answer['refresh_token']))
    return successor && !successor.spent ? answer : null
  }

  return {
    seal: (presented, answer) => seal(key(presented), Buffer.from(JSON.stringify(answer)), presented.hash),
    async given(presented) {
      const stored = await read(presented)
      return stored && unseal(presented, stored)
    },
    async repeatable(presented, arrivedAt, windowSeconds) {
      const deadline = performance.now() + patienceMilliseconds
      for (;;) {
        const stored = await read(presented)
        if (!stored) return null
        if (stored.deliveredAt !== null) {
          if (arrivedAt.getTime() < stored.deliveredAt) return unseal(presented, stored)
          return arrivedAt.getTime() < stored.spentAt + windowSeconds * 1000 ? unlessUsed(presented, stored) : null
        }
        // Not handed over and never will be: the process that made it is dead.
        if (await presence.isGone(stored.processId)) return unlessUsed(presented, stored)
        // An answer that does not leave was waited for long enough, or its mark was lost.
        if (performance.now() > deadline) return unlessUsed(presented, stored)
        await pause(pauseMilliseconds)
      }
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { isUnavailable } from '../../../prisma/availability.ts'
import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'

const markDelivered = statement<Record<string, never>, [deliveries: string]>(
  'mark_delivered',
  `UPDATE oauth_answers w SET delivered_at = d.at FROM jsonb_to_recordset($1::jsonb) AS d(hash text, at timestamptz)
   WHERE w.artifact_hash = decode(d.hash, 'hex') AND w.delivered_at IS NULL`,
)

export interface Deliveries {
  /** Notes that the answer for this artifact has left the process. */
  note(hash: Buffer, at: Date): void
  /** Writes what is noted. */
  close(): Promise<void>
}

/** Marks answers as delivered, after they were and without delaying them; tries again while the database is away. */
export function createDeliveries(database: Database, report: (error: unknown) => void): Deliveries {
  let noted: { hash: string; at: Date }[] = []
  let writing: Promise<void> | null = null
  let isClosing = false

  async function write(): Promise<void> {
    while (noted.length > 0) {
      const batch = noted
      noted = []
      try {
        await markDelivered(database.pool, JSON.stringify(batch))
      } catch (error) {
        if (!isUnavailable(error)) report(error)
        // One that stays unmarked is asked for in vain no more than once: its successor is used by then.
        if (isClosing) return
        noted = [...batch, ...noted]
        await pause(1000)
      }
    }
  }
  const flush = () => (writing ??= write().finally(() => (writing = null)))

  return {
    note(hash, at) {
      noted.push({ hash: hash.toString('hex'), at })
      void flush()
    },
    async close() {
      isClosing = true
      await flush()
    },
  }
}

import type { Database } from '../../prisma/client.ts'
import { statement } from '../../prisma/statement.ts'

const minuteMilliseconds = 60_000
const flushMilliseconds = 1_000

// SQL for one batch update. An identifier is unique across both tables, so one statement serves both.
const recordUses = statement<object, [ids: string[], instants: Date[]]>(
  'record_uses',
  `WITH uses AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS u(id, at)),
     tokens AS (UPDATE access_tokens t SET last_used_at = u.at FROM uses u WHERE t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at))
   UPDATE oauth_grants g SET last_used_at = u.at FROM uses u WHERE g.id = u.id AND (g.last_used_at IS NULL OR g.last_used_at < u.at)`,
)

/**
 * Updates `last_used_at` of tokens and grants without delaying requests, at most once a minute for each. Uses are collected and
 * written every second, so a crash loses at most one second of them.
 */
export function createLastUsed(database: Database, now: () => Date, report: (error: unknown) => void) {
  const pending = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const uses = [...pending]
    pending.clear()
    if (uses.length === 0) return
    try {
      await recordUses(
        database.pool,
        uses.map(([id]) => id),
        uses.map(([, at]) => at),
      )
    } catch (error) {
      report(error)
    }
  }

  return {
    /** `lastUsedAt` is the stored value, if known: within the same minute nothing is written. */
    record(credentialId: string, lastUsedAt: Date | null): void {
      const at = new Date(Math.floor(now().getTime() / minuteMilliseconds) * minuteMilliseconds)
      if (lastUsedAt !== null && lastUsedAt >= at) return
      pending.set(credentialId, at)
      timer ??= setTimeout(() => void flush(), flushMilliseconds)
    },
    /** Writes what is still pending. */
    async close(): Promise<void> {
      clearTimeout(timer)
      await flush()
    },
  }
}

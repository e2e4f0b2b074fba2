import type { Database } from '../prisma/client.ts'
import { statement } from '../prisma/statement.ts'

const minute = 60_000
const flushMilliseconds = 1_000

// Identifiers are unique beyond their tables, so one statement serves both.
const noteUses = statement<object, [ids: string[], instants: Date[]]>(
  'note_uses',
  `WITH uses AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS u(id, at)),
     tokens AS (UPDATE access_tokens t SET last_used_at = u.at FROM uses u WHERE t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at))
   UPDATE oauth_grants g SET last_used_at = u.at FROM uses u WHERE g.id = u.id AND (g.last_used_at IS NULL OR g.last_used_at < u.at)`,
)

/**
 * Keeps `last_used_at` of tokens and grants to the minute without delaying a request: uses are gathered and written
 * together, at most once a minute for each. What a crash takes along is at most a second of them.
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
      await noteUses(
        database.pool,
        uses.map(([id]) => id),
        uses.map(([, at]) => at),
      )
    } catch (error) {
      report(error)
    }
  }

  return {
    note(credentialId: string, lastUsedAt: Date | null): void {
      const at = new Date(Math.floor(now().getTime() / minute) * minute)
      if (lastUsedAt !== null && lastUsedAt >= at) return
      pending.set(credentialId, at)
      timer ??= setTimeout(() => void flush(), flushMilliseconds)
    },
    /** Writes what is still gathered; for an orderly stop. */
    async close(): Promise<void> {
      clearTimeout(timer)
      await flush()
    },
  }
}

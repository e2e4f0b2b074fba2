import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { createDelayedWrite } from './delayed-write.ts'

const minuteMilliseconds = 60_000

/**
 * Returns a statement part that sets an instant to the later one of `uses`. It skips locked rows instead of waiting for them, because
 * waiting could deadlock: a transaction that deletes a user locks the user and then the tokens, and an import locks users in any order.
 */
const setLater = (table: string, column: string, uses: string) => `UPDATE ${table} t SET ${column} = u.at
  FROM (SELECT t.id, u.at FROM ${table} t JOIN ${uses} u USING (id) WHERE t.${column} IS NULL OR t.${column} < u.at
    FOR NO KEY UPDATE OF t SKIP LOCKED) u WHERE t.id = u.id`

// SQL for one batch update. An identifier is unique across the tables, so one statement is enough for all.
const recordUses = statement<object, [ids: string[], instants: Date[]]>(
  'record_uses',
  `WITH uses AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS u(id, at)),
     tokens AS (${setLater('access_tokens', 'last_used_at', 'uses')} RETURNING t.user_id, u.at),
     grants AS (${setLater('oauth_grants', 'last_used_at', 'uses')} RETURNING t.user_id, u.at),
     clients AS (${setLater('oauth_clients', 'last_used_at', 'uses')} RETURNING t.id),
     identities AS (${setLater('workload_identities', 'last_used_at', 'uses')} RETURNING t.id),
     active AS (SELECT id, max(at) AS at FROM (TABLE uses UNION ALL TABLE tokens UNION ALL TABLE grants) used GROUP BY id)
   ${setLater('users', 'last_active_at', 'active')}`,
)

const recordTeams = statement<object, [userIds: string[], teamIds: string[]]>(
  'record_last_teams',
  `UPDATE users t SET last_team_id = u.team_id
     FROM (SELECT t.id, u.team_id FROM users t JOIN unnest($1::uuid[], $2::uuid[]) AS u(id, team_id) USING (id)
       WHERE t.last_team_id IS DISTINCT FROM u.team_id FOR NO KEY UPDATE OF t SKIP LOCKED) u WHERE t.id = u.id`,
)

/**
 * Updates `last_used_at` of tokens, grants, clients and workload identities, and `last_active_at` of users, at most once a minute for each,
 * without delaying requests. Uses are collected and written every second, so a crash loses at most one second of them. The next use updates
 * rows that are locked at that moment. The team that a user opened last is written in the same way.
 */
export function createLastUsed(database: Database, now: () => Date, report: (error: unknown) => void) {
  const pending = new Map<string, Date>()
  const pendingTeams = new Map<string, string>()

  async function write(): Promise<void> {
    const uses = [...pending]
    const teams = [...pendingTeams]
    pending.clear()
    pendingTeams.clear()
    if (uses.length > 0)
      await recordUses(
        database.pool,
        uses.map(([id]) => id),
        uses.map(([, at]) => at),
      )
    if (teams.length > 0)
      await recordTeams(
        database.pool,
        teams.map(([userId]) => userId),
        teams.map(([, teamId]) => teamId),
      )
  }

  const { start, close } = createDelayedWrite(write, report)

  return {
    /**
     * Records the use of a token, grant or machine or, for a session, the activity of its user. `lastUsedAt` is the stored value or null:
     * within the same minute, nothing is written.
     */
    record(id: string, lastUsedAt: Date | null): void {
      const at = new Date(Math.floor(now().getTime() / minuteMilliseconds) * minuteMilliseconds)
      if (lastUsedAt !== null && lastUsedAt >= at) return
      pending.set(id, at)
      start()
    },
    /** Records the team that a user opened last on the account site. Call it only if the stored team is another one. */
    recordTeam(userId: string, teamId: string): void {
      pendingTeams.set(userId, teamId)
      start()
    },
    /** Writes the uses that are still in memory. */
    close,
  }
}

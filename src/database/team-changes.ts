import pg from 'pg'
import { isOutage } from '../../prisma/connection/availability.ts'
import type { OpenDatabase } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Context } from '../../schema/core/context.ts'
import type { Changes, Subscription } from '../../schema/core/cancellation/subscription.ts'
import { runOutsideRequests } from '../../schema/core/observation/outside-requests.ts'

// Requests notifications about these teams for a minute, and returns those that have changed: with an audit entry that the last snapshot
// does not contain. Rows are written in one order, so that two processes cannot deadlock.
const announce = statement<{ snapshot: string; changedTeamIds: string[] }, [teamIds: readonly string[], lastSnapshot: string | null]>(
  'announce_team_event_streams',
  `WITH announced AS (
     INSERT INTO team_event_streams (team_id, open_until) SELECT id, now() + interval '1 minute' FROM unnest($1::uuid[]) id ORDER BY id
     ON CONFLICT (team_id) DO UPDATE SET open_until = excluded.open_until
   )
   SELECT pg_current_snapshot()::text AS snapshot, to_json(ARRAY(
     SELECT id FROM unnest($1::uuid[]) id WHERE $2::text IS NULL OR EXISTS (
       SELECT FROM audit_entries WHERE team_id = id AND transaction_id >= pg_snapshot_xmin($2::pg_snapshot)
         AND NOT pg_visible_in_snapshot(transaction_id, $2::pg_snapshot)
     )
   )) AS "changedTeamIds"`,
)

/** Number of intervals after which a stream checks its credential, even if its team does not change. */
const intervalsPerCheck = 6

interface Parts {
  database: Pick<OpenDatabase, 'pool' | 'sessionConfig'>
  /** Time between two reads of all teams without a notification. */
  intervalMilliseconds: number
  report(error: unknown): void
}

/**
 * Reports changes of teams that any process has committed, by PostgreSQL's LISTEN and NOTIFY. A notification only wakes a stream, which
 * reads the events from the table. If it is lost, the stream wakes at the next interval, in which one statement reads the changed teams for
 * all streams of the process. While a stream is open, a process has one connection besides those of its pool.
 */
export function createTeamChanges({ database: { pool, sessionConfig }, intervalMilliseconds, report }: Parts) {
  const runOutsideRequest = runOutsideRequests()
  const streams = new Map<string, Set<() => void>>()
  let connection: Promise<pg.Client> | undefined
  let timer: NodeJS.Timeout | undefined
  let lastSnapshot: string | null = null

  const wake = (teamId: string) => streams.get(teamId)?.forEach((ring) => ring())

  async function listen(): Promise<pg.Client> {
    const client = new pg.Client(sessionConfig)
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => wake(payload))
    await client.connect()
    await client.query('LISTEN team_events')
    return client
  }

  async function connect(): Promise<void> {
    if (connection) return
    const listening = listen()
    connection = listening
    const client = await listening
    client.once('end', () => {
      if (connection !== listening) return
      connection = undefined
      void tick()
    })
  }

  /** Wakes the streams whose teams have changed since the last call; all of them if the changes are unknown. */
  async function tick(): Promise<void> {
    try {
      const [changes] = await announce(pool, [...streams.keys()], lastSnapshot)
      lastSnapshot = changes?.snapshot ?? null
      changes?.changedTeamIds.forEach(wake)
      await connect()
    } catch (error) {
      connection = undefined
      lastSnapshot = null
      if (!isOutage(error)) report(error)
    }
  }

  function leave(teamId: string, ring: () => void): void {
    const rings = streams.get(teamId)
    rings?.delete(ring)
    if (rings?.size === 0) streams.delete(teamId)
    ring()
    if (streams.size === 0) close()
  }

  function close(): void {
    clearInterval(timer)
    timer = undefined
    lastSnapshot = null
    const closing = connection
    connection = undefined
    closing?.then((client) => client.end()).catch(() => {})
  }

  const watchTeam: Subscription<Context>['watchTeam'] = async (teamId, signal): Promise<Changes> => {
    let change = Promise.withResolvers<void>()
    const ring = () => change.resolve()
    streams.set(teamId, (streams.get(teamId) ?? new Set()).add(ring))
    const checks = setInterval(ring, intervalsPerCheck * intervalMilliseconds)
    const end = () => {
      clearInterval(checks)
      leave(teamId, ring)
    }
    signal.addEventListener('abort', end, { once: true })
    timer ??= setInterval(() => void runOutsideRequest(tick), intervalMilliseconds)
    await runOutsideRequest(tick)
    if (signal.aborted) end()
    return {
      async next() {
        await change.promise
        if (!signal.aborted) change = Promise.withResolvers<void>()
      },
    }
  }
  return { watchTeam, close }
}

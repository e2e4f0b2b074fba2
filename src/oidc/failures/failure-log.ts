import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { FailureCause } from '../../../schema/oauth/team-clients/failures.ts'
import { createCountLog } from '../../auth/delayed-writes/count-log.ts'

/** A refused request: the reason, and the parts of the request that explain it. It contains no data of users. */
export interface Failure {
  cause: FailureCause
  sent: string
}

/** Maximum number of failures in the database for each client and day, because requests can be refused very fast. */
const maxRows = 100

type Values = [clientIds: string[], causes: string[], sent: string[], counts: number[], instants: Date[]]

const recordFailures = statement<object, Values>(
  'record_failures',
  `WITH given AS (
     SELECT c.id, (f.at AT TIME ZONE 'UTC')::date AS day, f.cause, f.sent, sum(f.count)::int AS count, max(f.at) AS at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::timestamptz[]) AS f(client_id, cause, sent, count, at)
       JOIN oauth_clients c ON c.client_id = f.client_id AND c.source IS DISTINCT FROM 'metadata' GROUP BY 1, 2, 3, 4),
   numbered AS (
     SELECT g.*, e.count IS NOT NULL AS is_known, row_number() OVER (PARTITION BY g.id, g.day, e.count IS NULL ORDER BY g.cause, g.sent)
       + (SELECT count(*) FROM authorization_failures a WHERE a.oauth_client_id = g.id AND a.day = g.day) AS number
     FROM given g LEFT JOIN authorization_failures e
       ON e.oauth_client_id = g.id AND e.day = g.day AND e.cause = g.cause AND e.sent = g.sent)
   INSERT INTO authorization_failures AS f (oauth_client_id, day, cause, sent, count, last_at)
   SELECT id, day, cause, sent, count, at FROM numbered WHERE is_known OR number <= ${maxRows} ORDER BY id, day, cause, sent
   ON CONFLICT (oauth_client_id, day, cause, sent) DO UPDATE SET count = f.count + excluded.count, last_at = greatest(f.last_at, excluded.last_at)`,
)

/**
 * Counts the refused requests of clients, for their owners, without delaying requests. Those of clients by URL are not counted, because they
 * have no owner here.
 */
export function createFailureLog({ pool }: Pick<Database, 'pool'>, now: () => Date, report: (error: unknown) => void) {
  const { record, close } = createCountLog<Failure & { clientId: string }>({
    now,
    report,
    write: (failures) =>
      recordFailures(
        pool,
        failures.map(({ clientId }) => clientId),
        failures.map(({ cause }) => cause),
        failures.map(({ sent }) => sent),
        failures.map(({ count }) => count),
        failures.map(({ at }) => at),
      ),
  })
  return {
    /** Counts a refused request of the client with this public identifier. */
    record: (clientId: string, { cause, sent }: Failure): void => record({ clientId, cause, sent }),
    close,
  }
}

export type FailureLog = ReturnType<typeof createFailureLog>

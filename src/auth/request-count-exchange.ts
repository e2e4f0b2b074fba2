import { statement } from '../../prisma/statement/statement.ts'

export const windowSeconds = 60

/** The requests of a credential in the result of the database. */
export interface SharedCount {
  id: string
  /** Requests of all processes, served or reserved. */
  requests: number
  /** Number of requests that this statement has reserved. */
  reserved: number
  secondsLeft: number
}

// Times are those of the database, because the clocks of the processes may differ. Rows are written in one order, so that two processes
// never wait for each other. It reserves no more than the remaining quota. `excluded.requests` contains `excluded.reserved`.
const counted = `greatest(CASE WHEN c.ends_at > now() THEN c.requests ELSE 0 END + excluded.requests - excluded.reserved, 0)`
const granted = `greatest(least(excluded.reserved, $4 - ${counted}), 0)`
/** Adds requests to the counts, with unused reservations as negative numbers, and reserves others. */
export const exchangeCounts = statement<SharedCount, [ids: string[], added: number[], wanted: number[], quota: number]>(
  'exchange_request_counts',
  `INSERT INTO request_counts AS c (credential_id, requests, reserved, ends_at)
   SELECT id, added + reserved, reserved, now() + interval '${windowSeconds} seconds'
   FROM unnest($1::text[], $2::int[], $3::int[]) AS sent(id, added, wanted), least(wanted, greatest($4 - added, 0)) AS reserved ORDER BY id
   ON CONFLICT (credential_id) DO UPDATE SET requests = ${counted} + ${granted}, reserved = ${granted},
     ends_at = CASE WHEN c.ends_at > now() THEN c.ends_at ELSE excluded.ends_at END
   RETURNING credential_id AS id, requests, reserved, extract(epoch FROM ends_at - now())::float8 AS "secondsLeft"`,
)

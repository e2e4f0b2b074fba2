import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { failedSignInDays } from '../../../schema/core/attempts/failed-sign-in.ts'
import type { FailedSignIn } from '../../../schema/core/attempts/failed-sign-in.ts'
import { createCountLog } from './count-log.ts'

type Column<Value> = readonly (Value | null)[]
type Values = [
  ids: Column<string>,
  emails: Column<string>,
  passkeys: Column<Buffer>,
  methods: string[],
  reasons: string[],
  counts: number[],
  instants: Date[],
]

const isCountOver = `s.first_at < excluded.last_at - interval '${failedSignInDays} days'`

// The accounts are looked up here and not in the request, so that a request does the same with and without an account. What keeps the user
// out whatever is entered replaces the reason. The lock lets a deletion of the account end first. The largest count is that of the column.
const recordFailedSignIns = statement<object, Values>(
  'record_failed_sign_ins',
  `WITH failed AS (
     SELECT u.id, f.method, f.count, f.at, CASE
       WHEN u.disabled_at IS NOT NULL AND u.disabled_at IS DISTINCT FROM u.deletion_requested_at THEN 'account_disabled'
       WHEN f.method = 'password' AND u.password_hash IS NULL THEN 'no_password'
       WHEN f.method = 'email_code' AND NOT u.email_verified THEN 'address_unverified'
       ELSE f.reason END AS reason
     FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::int[], $7::timestamptz[])
         AS f(id, email, passkey, method, reason, count, at)
       JOIN users u ON u.id = coalesce(f.id, (SELECT e.id FROM users e WHERE e.email = f.email),
         (SELECT p.user_id FROM passkeys p WHERE p.credential_id = f.passkey))
     ORDER BY u.id FOR KEY SHARE OF u)
   INSERT INTO failed_sign_ins AS s (user_id, method, reason, count, first_at, last_at)
   SELECT id, method, reason, sum(count), min(at), max(at) FROM failed GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
   ON CONFLICT (user_id, method, reason) DO UPDATE SET
     count = CASE WHEN ${isCountOver} THEN excluded.count ELSE least(s.count::bigint + excluded.count, 2147483647) END,
     first_at = CASE WHEN ${isCountOver} THEN excluded.first_at ELSE s.first_at END,
     last_at = greatest(s.last_at, excluded.last_at)`,
)

/** Counts failed sign-ins by account, method and reason, after the requests. See docs/decisions/failed-sign-ins.md. */
export const createFailedSignInLog = ({ pool }: Pick<Database, 'pool'>, now: () => Date, report: (error: unknown) => void) =>
  createCountLog<FailedSignIn>({
    now,
    report,
    write: (failures) => {
      const accounts = failures.map(({ account }) => account)
      return recordFailedSignIns(
        pool,
        accounts.map((account) => ('id' in account ? account.id : null)),
        accounts.map((account) => ('email' in account ? account.email : null)),
        accounts.map((account) => ('passkey' in account ? Buffer.from(account.passkey, 'base64url') : null)),
        failures.map(({ method }) => method),
        failures.map(({ reason }) => reason),
        failures.map(({ count }) => count),
        failures.map(({ at }) => at),
      )
    },
  })

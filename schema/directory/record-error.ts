import { statement } from '../../prisma/statement/statement.ts'
import { removeInvisible } from '../accounts/person-name.ts'
import type { Context } from '../core/context.ts'

/** An error that the directory of a team received. */
export interface DirectoryError {
  method: string
  /** The path without identifiers: `/scim/v2/Users/{id}`. */
  path: string
  status: number
  /** The detail code of RFC 7644 §3.12, or null. */
  scimType: string | null
  /** The message for the administrator of the directory. */
  detail: string
}

/** Maximum characters of the stored message. */
const maxDetail = 500

// A directory repeats refused requests many times a second. The first one of a minute is stored, so that they do not all write one row.
const storeError = statement<
  object,
  [teamId: string, at: Date, method: string, path: string, status: number, scimType: string | null, detail: string]
>(
  'store_directory_error',
  `INSERT INTO directory_errors (team_id, at, method, path, status, scim_type, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (team_id) DO UPDATE SET at = $2, method = $3, path = $4, status = $5, scim_type = $6, detail = $7
   WHERE directory_errors.at <= $2::timestamptz - interval '1 minute'`,
)

/** Stores the last error that the directory of a team received, at most once a minute (docs/decisions/scim.md#last-error). */
export async function recordDirectoryError(
  { database, now }: Pick<Context, 'database' | 'now'>,
  teamId: string,
  { method, path, status, scimType, detail }: DirectoryError,
): Promise<void> {
  const shown = Array.from(removeInvisible(detail)).slice(0, maxDetail).join('')
  await storeError(database.pool, teamId, now(), method, path, status, scimType, shown)
}

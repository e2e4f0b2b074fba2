import { statement } from '../../../prisma/statement/statement.ts'
import type { DateFormat } from '../../../prisma/generated/client/enums.ts'
import type { Context } from '../../core/context.ts'
import type { UserPrincipal } from '../../core/principals.ts'
import { isIdentifier } from '../../core/validation.ts'
import { findStaffInSession, recordReading, toReader } from '../../teams/support-sessions/reading.ts'
import { isSupportSessionOpen } from '../../teams/support-sessions/support-session.ts'

/** A page of an account that staff read. */
export interface AccountReading {
  /** The user as the viewer of the queries of the page, without any team, mutation or right of staff. Its credential is that of the staff user. */
  principal: UserPrincipal
  /** When the support session ends. */
  expiresAt: Date
}

interface Row {
  expiresAt: string
  name: string
  email: string
  emailVerified: boolean
  pictureId: string | null
  timezone: string | null
  dateFormat: DateFormat
}

const openSessionByUser = statement<Row, [userId: string, now: Date]>(
  'open_support_session_by_user',
  `SELECT s.expires_at AS "expiresAt", u.name, u.email, u.email_verified AS "emailVerified", u.picture_id AS "pictureId", u.timezone,
     u.date_format AS "dateFormat"
   FROM support_sessions s JOIN users u ON u.id = s.user_id WHERE s.user_id = $1 AND ${isSupportSessionOpen('s', '$2')}`,
)

/**
 * Starts the reading of one page of an account by staff. Writes the audit entry that the user sees before anything is read; `path` is that of
 * the page as the user opens it. Returns null if the caller is not staff in a session, or if the account has no open support session. Throws
 * if the session lacks the proofs that acts of staff need. Call it for requests that only read, once for each page.
 */
export async function readAccountInSupportSession(context: Context, id: string, path: string): Promise<AccountReading | null> {
  const staff = findStaffInSession(context)
  if (!staff || !isIdentifier(id)) return null
  const [row] = await openSessionByUser(context.database.pool, id, context.now())
  if (!row) return null
  const { expiresAt, name, email, emailVerified, pictureId, timezone, dateFormat } = row
  await recordReading(context, staff, { subject: id, subjectName: name }, path)
  const user = {
    user: { id, name, email, emailVerified },
    pictureId,
    timeSettings: { timezone, dateFormat },
    lastTeamId: null,
    openSupport: [],
  }
  // The support sessions of the teams of the user are their own.
  return { principal: { ...toReader(staff, []), ...user }, expiresAt: new Date(expiresAt) }
}

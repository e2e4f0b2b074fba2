import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { AuditedChange } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import type { TeamAccess, UserPrincipal } from '../../core/principals.ts'
import { isStaffUser, requireStaffProofs } from '../../core/staff/staff-acts.ts'
import { isSlug, LazyTeams } from '../../core/team-access/lazy-teams.ts'
import { joinedTeamAccess, toTeamAccesses } from '../../core/team-access/queries.ts'
import type { StoredTeamAccess } from '../../core/team-access/queries.ts'
import { isSupportSessionOpen } from './support-session.ts'

/** A page of a team that staff read. */
export interface SupportReading {
  /** The staff user with the rights of the owner who opened the support session, without any mutation. */
  principal: UserPrincipal
  access: TeamAccess
  /** When the support session ends. */
  expiresAt: Date
}

interface Row {
  expiresAt: string
  access: StoredTeamAccess[] | null
}

const openSessionBySlug = statement<Row, [slug: string, now: Date]>(
  'open_support_session_by_slug',
  `SELECT s.expires_at AS "expiresAt", ${joinedTeamAccess} AS access
   FROM teams t JOIN support_sessions s ON s.team_id = t.id AND ${isSupportSessionOpen('s', '$2')}
     JOIN users u ON u.id = s.opened_by_id JOIN members m ON m.team_id = t.id AND m.user_id = u.id
   WHERE t.slug = $1 AND t.deleted_at IS NULL`,
)

const maxPathLength = 255

/**
 * Starts the reading of one page of a team by staff who have no access of their own to the team. Writes the audit entry that the owners
 * see before anything is read. Returns null if the caller is not staff in a session, or if the team has no open support session. Throws if
 * the session lacks the proofs that acts of staff need. Call it for requests that only read, once for each page.
 */
export async function readInSupportSession(context: Context, slug: string, path: string): Promise<SupportReading | null> {
  const principal = findStaffInSession(context)
  if (!principal || !isSlug(slug)) return null
  const [session] = await openSessionBySlug(context.database.pool, slug, context.now())
  const [access] = toTeamAccesses(session?.access)
  if (!session || !access) return null
  const { id: teamId, name: subjectName } = access.team
  await recordReading(context, principal, { teamId, subject: slug, subjectName }, path)
  // The sign-in that the team requires of its members is replaced by the proofs of staff and the consent of the owner.
  const opened = { ...access, lacksTwoFactor: false, requiredSignInAt: null }
  return { principal: toReader(principal, [opened]), access: opened, expiresAt: new Date(session.expiresAt) }
}

/** Returns the caller if it is a session of a user who is staff, or null. No other credential can read in a support session. */
export const findStaffInSession = ({ principal }: Context): UserPrincipal | null =>
  principal && isStaffUser(principal) && principal.authenticationMethod === 'session' ? principal : null

/** Writes the audit entry of one page. Throws if the session lacks the proofs that acts of staff need. */
export async function recordReading(
  context: Context,
  principal: UserPrincipal,
  owner: Pick<AuditedChange, 'teamId' | 'subject' | 'subjectName'>,
  path: string,
): Promise<void> {
  requireStaffProofs(principal, context.now())
  const { user, credentialId } = principal
  const actor = { kind: 'staff', authenticationMethod: 'session', user, credentialId } as const
  const entry = { ...owner, after: { path: path.slice(0, maxPathLength) } }
  await inTransaction(context.database, async (transaction) =>
    writeAuditEntry(transaction, { ...context, principal: actor }, 'readInSupportSession', entry),
  )
}

/** Returns the principal of a reading, which can access these teams only and has no right of staff. */
export function toReader(principal: UserPrincipal, teams: readonly TeamAccess[]): UserPrincipal {
  const scopes = new Set([...principal.scopes].filter((scope) => !scope.startsWith('acct:staff:')))
  return { ...principal, scopes, staffRole: null, teams: new LazyTeams(null, teams), isInSupportSession: true }
}

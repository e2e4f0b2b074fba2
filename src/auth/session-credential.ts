import type { Request, Response } from 'express'
import type { Database } from '../../prisma/connection/database.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import type { OpenSupport, TimeSettings, UserPrincipal } from '../../schema/core/principals.ts'
import { effectiveScopes, scopes } from '../../schema/core/scopes.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { staffRoleSql } from '../../schema/core/staff/staff-role.ts'
import type { AnyStaffRole } from '../../schema/core/staff/staff-role.ts'
import type { StoredTeamAccess } from '../../schema/core/team-access/queries.ts'
import { sessionTeamIds, vouchedTeamIds } from '../../schema/core/team-access/session-reach.ts'
import { isTwoFactorUnproved } from '../../schema/core/team-access/two-factor.ts'
import { openSupportOfUser } from '../../schema/teams/support-sessions/support-session.ts'
import { credentialStatement, teamsOfCredential } from './credential-teams.ts'
import type { Sessions } from './sessions.ts'

interface SessionRow {
  id: string
  methods: string[]
  authenticatedAt: string
  skippedSecondFactor: boolean
  provedTwoFactor: boolean
  isTwoFactorUnproved: boolean
  providerIds: string[]
  vouchedTeamIds: string[]
  hasOwnProof: boolean
  /** Teams that the session reaches; null for all teams of the user. */
  teamIds: string[] | null
  ownerAccessTeamIds: string[]
  endedTeamIds: string[]
  lastUsedAt: string
  expiresAt: string
  userId: string
  userName: string
  email: string
  emailVerified: boolean
  staffRole: AnyStaffRole | null
  timezone: string | null
  dateFormat: TimeSettings['dateFormat']
  pictureId: string | null
  lastTeamId: string | null
  openSupport: OpenSupport[] | null
  teams: StoredTeamAccess[] | null
}

/**
 * Finds a session by the hash of its cookie's value, with its user and their current rights in teams. A session that has ended, or whose
 * user is disabled, has no row. This is SQL, because every page and every GraphQL request of a browser runs it.
 */
const sessionByHash = credentialStatement<SessionRow>(
  'session_by_hash',
  { userId: 'u.id', teamIds: 'reach.team_ids', revokedTeamIds: "'{}'::uuid[]" },
  (teams, join) => `SELECT s.id, to_json(s.methods) AS methods, s.authenticated_at AS "authenticatedAt",
     s.skipped_second_factor AS "skippedSecondFactor", s.proved_two_factor AS "provedTwoFactor",
     ${isTwoFactorUnproved('s')} AS "isTwoFactorUnproved", to_json(s.provider_ids) AS "providerIds",
     s.own_proof AS "hasOwnProof", to_json(reach.team_ids) AS "teamIds", to_json(${vouchedTeamIds('s')}) AS "vouchedTeamIds",
     to_json(s.owner_access_team_ids) AS "ownerAccessTeamIds", to_json(s.ended_team_ids) AS "endedTeamIds", s.last_used_at AS "lastUsedAt", a.expires_at AS "expiresAt",
     u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified", ${staffRoleSql('u')} AS "staffRole", u.timezone, u.date_format AS "dateFormat", u.picture_id AS "pictureId",
     u.last_team_id AS "lastTeamId", ${openSupportOfUser('u.id', '$2')} AS "openSupport",
     ${teams} AS teams
   FROM oidc_models a JOIN sessions s ON s.uid_hash = a.uid_hash JOIN users u ON u.id = s.user_id
     CROSS JOIN LATERAL (SELECT ${sessionTeamIds('s')} AS team_ids) AS reach ${join}
   WHERE a.id_hash = $1 AND a.kind = 'Session' AND a.expires_at > $2 AND u.disabled_at IS NULL`,
)

/** Name of the session cookie. With https it has the prefix `__Host-` (RFC 6265bis §4.1.3.2). */
export const sessionCookie = (authUrl: string): string => (authUrl.startsWith('https:') ? '__Host-session' : 'session')

export interface SessionCredential {
  principal: UserPrincipal
  authenticatedAt: Date
  lastUsedAt: Date
  /** Methods by which the user signed in: values of RFC 8176. */
  methods: string[]
}

// A session acts as the user, with all the rights of the user (docs/decisions/permissions.md#effective-rights).
const everyScope = (staffRole: AnyStaffRole | null) => effectiveScopes(Object.keys(scopes), staffRole)
const everyScopeOfUser = everyScope(null)

/** Returns the signed-in user for a session cookie value, or null. Runs one statement. */
export async function findSession(pool: StatementPool, value: string | undefined, now: Date): Promise<SessionCredential | null> {
  if (value === undefined || !valuePattern.test(value)) return null
  const row = await sessionByHash(pool, sha256(value), now, null)
  if (!row) return null
  const { userId: id, userName: name, email, emailVerified, staffRole, timezone, dateFormat, pictureId, lastTeamId } = row
  const authenticatedAt = new Date(row.authenticatedAt)
  return {
    lastUsedAt: new Date(row.lastUsedAt),
    methods: row.methods,
    authenticatedAt,
    principal: {
      kind: 'user',
      authenticationMethod: 'session',
      credentialId: row.id,
      scopes: staffRole ? everyScope(staffRole) : everyScopeOfUser,
      teams: teamsOfCredential({ userId: id, teamIds: row.teamIds, revokedTeamIds: [] }, row.teams, null),
      expiresAt: new Date(row.expiresAt),
      user: { id, name, email, emailVerified },
      staffRole,
      client: null,
      authenticatedAt: row.skippedSecondFactor || row.isTwoFactorUnproved || row.endedTeamIds.length > 0 ? null : authenticatedAt,
      provedTwoFactor: row.provedTwoFactor,
      signIns: {
        providerIds: row.providerIds,
        vouchedTeamIds: row.vouchedTeamIds,
        hasOwnProof: row.hasOwnProof,
        isLimited: row.teamIds !== null,
        ownerAccessTeamIds: row.ownerAccessTeamIds,
        endedTeamIds: row.endedTeamIds,
      },
      pictureId,
      lastTeamId,
      timeSettings: { timezone, dateFormat },
      openSupport: row.openSupport ?? [],
    },
  }
}

const valuePattern = /^[A-Za-z0-9_-]{43}$/

/** Returns the user who is signed in in the requesting browser, or null. The request needs a request context. */
export type AuthenticateSession = (request: Request, response: Response) => Promise<UserPrincipal | null>

interface AuthenticateSessionPorts {
  database: Database
  sessions: Sessions
  now(): Date
  /** Records the activity of a user in the background. */
  recordUse(userId: string, lastUsedAt: null): void
}

/**
 * Records the use of the session once a minute, which extends the session and its cookie. It does nothing after the header fields
 * of the response were sent, so a stream that checks its session again does not extend it.
 */
export function createAuthenticateSession({ database, sessions, now, recordUse }: AuthenticateSessionPorts): AuthenticateSession {
  return async (request, response) => {
    const session = await findSession(database.pool, await sessions.cookieValue(request, response), now())
    if (!session) return null
    const { principal, lastUsedAt } = session
    if (!response.headersSent && now().getTime() - lastUsedAt.getTime() >= 60_000) {
      await sessions.recordUse(request, response, principal.credentialId)
      recordUse(principal.user.id, null)
    }
    return principal
  }
}

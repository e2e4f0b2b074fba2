import type { MailLinkKind, Role, SocialProvider, TokenKind } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import { withDates } from '../../builder/with-dates.ts'
import type { AccessibleTeam } from '../../core/principals.ts'
import { jsonInstant, jsonRows } from '../../core/database/json-rows.ts'
import { isLiveAt, isLiveGrant } from '../../core/team-access/live.ts'
import { accessibleTeamColumns } from '../../core/team-access/team-columns.ts'
import { isTwoFactorOn } from '../../core/team-access/two-factor.ts'
import { failedSignInsSql } from '../../security/sign-in/failed-sign-ins.ts'
import type { FailedSignIns } from '../../security/sign-in/failed-sign-ins.ts'
import { listedUserColumns } from '../users.ts'
import type { StaffUserRow } from '../users.ts'

/** A live session, without its identifier and its address. */
export interface StaffSession {
  createdAt: string
  authenticatedAt: string
  lastUsedAt: string
  methods: string[]
  skippedSecondFactor: boolean
  provedTwoFactor: boolean
  ownProof: boolean
  userAgent: string
  /** Names of the identity providers of teams. */
  providers: string[]
}

export interface StaffMembership {
  team: AccessibleTeam
  role: Role
  joinedAt: string
}

export interface StaffIdentity {
  /** The public provider, or null for that of a team. */
  social: SocialProvider | null
  /** Name of the provider of a team. */
  name: string | null
  teamName: string | null
  email: string | null
  createdAt: string
  lastSignInAt: string
}

export interface StaffPendingLink {
  kind: MailLinkKind
  email: string
  createdAt: string
  expiresAt: string
}

export interface StaffPersonalToken {
  id: string
  name: string
  kind: TokenKind
  lastFour: string | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export interface StaffGrant {
  id: string
  clientName: string
  /** The team that the grant is for; null for all teams of the user. */
  teamName: string | null
  createdAt: string
  lastUsedAt: string | null
}

/** The state of an account as staff see it. Instants are text in the form of responses. */
export interface AccountRow {
  user: StaffUserRow
  hasPassword: boolean
  hasTwoFactor: boolean
  hasTotp: boolean
  totpSince: string | null
  passkeyCount: number
  recoveryCodesLeft: number
  trustedDeviceCount: number
  connectedAppCount: number
  grants: StaffGrant[]
  personalTokenCount: number
  personalTokens: StaffPersonalToken[]
  lastActiveAt: string | null
  sessionCount: number
  sessions: StaffSession[]
  membershipCount: number
  memberships: StaffMembership[]
  identities: StaffIdentity[]
  pendingLinks: StaffPendingLink[]
  failedSignIns: FailedSignIns[]
}

/** Number of sessions, teams and linked accounts that are listed; the counts contain all of them. */
export const listedMost = 100

/** Builds SQL for the first rows as a JSON array. `columns` have the names of the properties. */
const listRows = (columns: string, source: string, order: string) =>
  jsonRows(`SELECT ${columns} FROM ${source} ORDER BY ${order} LIMIT ${listedMost}`)

const liveSessions = `sessions s JOIN oidc_models o ON o.uid_hash = s.uid_hash AND o.expires_at > $2 WHERE s.user_id = u.id`
const liveTokens = `access_tokens a WHERE a.user_id = u.id AND ${isLiveAt('$2', 'a')}`
const liveGrants = `oauth_grants g JOIN oauth_clients c ON c.id = g.oauth_client_id LEFT JOIN teams t ON t.id = g.team_id
  WHERE g.user_id = u.id AND ${isLiveGrant('$2', 'g')}`
const memberships = `members m JOIN teams ON teams.id = m.team_id AND teams.deleted_at IS NULL WHERE m.user_id = u.id`

// The database does not store when an authenticator app was added; the audit entry about it does.
const selectAccount = statement<Record<string, unknown>, [id: string, now: Date]>(
  'account_for_staff',
  `SELECT ${listedUserColumns('u')}, u.last_active_at AS "lastActiveAt", u.password_hash IS NOT NULL AS "hasPassword",
     ${isTwoFactorOn('u.id')} AS "hasTwoFactor", u.totp_secret IS NOT NULL AS "hasTotp",
     (SELECT max(e.at) FROM audit_entries e WHERE u.totp_secret IS NOT NULL AND e.subject = u.id::text AND e.team_id IS NULL
        AND e.action IN ('confirmTotp', 'moveTotp')) AS "totpSince",
     (SELECT count(*) FROM passkeys k WHERE k.user_id = u.id) AS "passkeyCount",
     (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL) AS "recoveryCodesLeft",
     (SELECT count(*) FROM trusted_devices d WHERE d.user_id = u.id AND d.expires_at > $2) AS "trustedDeviceCount",
     (SELECT count(DISTINCT g.oauth_client_id) FROM ${liveGrants}) AS "connectedAppCount",
     ${listRows(
       `g.id, c.name AS "clientName", t.name AS "teamName", ${jsonInstant('g.created_at')} AS "createdAt", ${jsonInstant('g.last_used_at')} AS "lastUsedAt"`,
       liveGrants,
       'g.last_used_at DESC NULLS LAST, g.id',
     )} AS grants,
     (SELECT count(*) FROM ${liveTokens}) AS "personalTokenCount",
     ${listRows(
       `a.id, a.name, a.kind, a.last_four AS "lastFour", ${jsonInstant('a.created_at')} AS "createdAt", ${jsonInstant('a.last_used_at')} AS "lastUsedAt",
        ${jsonInstant('a.expires_at')} AS "expiresAt"`,
       liveTokens,
       'a.last_used_at DESC NULLS LAST, a.id',
     )} AS "personalTokens",
     (SELECT count(*) FROM ${liveSessions}) AS "sessionCount",
     ${listRows(
       `${jsonInstant('s.created_at')} AS "createdAt", ${jsonInstant('s.authenticated_at')} AS "authenticatedAt", ${jsonInstant('s.last_used_at')} AS "lastUsedAt", s.methods,
        s.skipped_second_factor AS "skippedSecondFactor", s.proved_two_factor AS "provedTwoFactor", s.own_proof AS "ownProof",
        s.user_agent AS "userAgent", ARRAY(SELECT p.name FROM identity_providers p WHERE p.id = ANY (s.provider_ids) ORDER BY p.name) AS providers`,
       liveSessions,
       's.last_used_at DESC, s.id',
     )} AS sessions,
     (SELECT count(*) FROM ${memberships}) AS "membershipCount",
     ${listRows(`${accessibleTeamColumns}, m.role, ${jsonInstant('m.joined_at')} AS "joinedAt"`, memberships, 'teams.slug')} AS memberships,
     ${listRows(
       `x.social, p.name, t.name AS "teamName", x.email,
        ${jsonInstant('x.created_at')} AS "createdAt", ${jsonInstant('x.last_sign_in_at')} AS "lastSignInAt"`,
       `external_identities x LEFT JOIN identity_providers p ON p.id = x.provider_id LEFT JOIN teams t ON t.id = p.team_id
        WHERE x.user_id = u.id`,
       'x.last_sign_in_at DESC, x.id',
     )} AS identities,
     ${listRows(
       `l.kind, l.email, ${jsonInstant('l.created_at')} AS "createdAt", ${jsonInstant('l.expires_at')} AS "expiresAt"`,
       'mail_links l WHERE l.user_id = u.id AND l.used_at IS NULL AND l.expires_at > $2',
       'l.created_at DESC, l.id',
     )} AS "pendingLinks",
     ${listRows(...failedSignInsSql('u.id'))} AS "failedSignIns"
   FROM users u WHERE u.id = $1`,
)

/** Reads the state of an account in one statement, or null if there is none. */
export async function readAccount(pool: StatementPool, id: string, now: Date): Promise<AccountRow | null> {
  const [row] = await selectAccount(pool, id, now)
  if (!row) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the statement
  const account = { ...row, user: row } as unknown as AccountRow
  return { ...account, memberships: account.memberships.map(toMembership) }
}

function toMembership(row: object): StaffMembership {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the statement
  const { role, joinedAt, ...team } = row as AccessibleTeam & Pick<StaffMembership, 'role' | 'joinedAt'>
  return { team: withDates(team, ['createdAt', 'updatedAt', 'twoFactorRequiredAt', 'signInRequiredAt']), role, joinedAt }
}

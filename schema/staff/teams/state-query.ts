import type { Team, Webhook } from '../../../prisma/generated/client/client.ts'
import type { IdentityProviderKind, Role } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { auditEntries } from '../../audit/audit-list.ts'
import type { AuditRow } from '../../audit/audit-list.ts'
import { isNoReading } from '../shown-entry.ts'
import type { AccessibleTeam } from '../../core/principals.ts'
import { jsonInstant, jsonRows } from '../../core/database/json-rows.ts'
import { isLiveAt } from '../../core/team-access/live.ts'
import { accessibleTeamColumns } from '../../core/team-access/team-columns.ts'
import { listedClientColumns } from '../../oauth/clients/client-row.ts'
import type { ClientRow } from '../../oauth/clients/client-row.ts'

// One statement reads the whole state of a team, because a page of staff has few statements. It selects no secret, no token, no path of a
// URL and no content of an invoice. Each part is read by an index that begins with the team.

/** The number of the latest invitations and audit entries. */
export const latestCount = 10

export interface StoredMemberCount {
  role: Role
  count: number
}

export interface StoredOpenInvitation {
  id: string
  email: string
  role: Role
  sentAt: string
  expiresAt: string
}

export interface StoredProviderState {
  id: string
  kind: IdentityProviderKind
  name: string
  issuer: string
  certificates: string[]
  testedAt: string | null
  failedAt: string | null
  failure: string | null
  disabledAt: string | null
  isRequired: boolean
}

export interface StoredDomainState {
  domain: string
  verifiedAt: string | null
  checkedAt: string | null
  missingSince: string | null
}

type Instants = 'disabledAt' | 'failingSince'
export interface StoredWebhookState
  extends Pick<Webhook, 'id' | 'url' | 'description' | 'disabledReason'>, Record<Instants, string | null> {
  /** The last attempt that failed since the last one that succeeded. */
  lastFailure: { at: string; status: number | null; error: string | null } | null
}

type TeamInstants = 'deletedAt' | 'erasedAt'
export interface StoredTeamState extends AccessibleTeam, Record<TeamInstants & keyof Team, string | null> {
  isMember: boolean
  isRestorable: boolean
  members: StoredMemberCount[]
  invitationCount: number
  invitations: StoredOpenInvitation[]
  tokenCount: number
  providers: StoredProviderState[]
  domains: StoredDomainState[]
  webhooks: StoredWebhookState[]
  clients: ClientRow[]
  entries: AuditRow[]
}

const lastFailure = `(SELECT json_build_object('at', ${jsonInstant('d.at')}, 'status', d.status, 'error', d.error) FROM webhook_deliveries d
  WHERE d.webhook_id = w.id AND d.at >= w.failing_since AND d.result = 'failed' ORDER BY d.at DESC, d.id DESC LIMIT 1)`

/** Reads the state of a team, deleted or not, by its slug, for a user who is staff. */
export const readTeamState = statement<StoredTeamState, [slug: string, userId: string | null, now: Date, restorableAfter: Date]>(
  'team_state_for_staff',
  `SELECT ${accessibleTeamColumns}, deleted_at AS "deletedAt", erased_at AS "erasedAt",
     coalesce(deleted_at > $4::timestamptz AND erased_at IS NULL, false) AS "isRestorable",
     EXISTS (SELECT FROM members WHERE team_id = t.id AND user_id = $2::uuid) AS "isMember",
     ${jsonRows('SELECT role, count(*)::int AS count FROM members WHERE team_id = t.id GROUP BY role ORDER BY role')} AS members,
     (SELECT count(*)::int FROM invitations WHERE team_id = t.id AND status = 'pending' AND expires_at > $3::timestamptz) AS "invitationCount",
     ${jsonRows(`SELECT id, email, role, ${jsonInstant('sent_at')} AS "sentAt", ${jsonInstant('expires_at')} AS "expiresAt" FROM invitations
       WHERE team_id = t.id AND status = 'pending' ORDER BY sent_at DESC, invitations.id DESC LIMIT ${latestCount}`)} AS invitations,
     (SELECT count(*)::int FROM access_tokens a WHERE a.team_id = t.id AND ${isLiveAt('$3::timestamptz', 'a')}) AS "tokenCount",
     ${jsonRows(`SELECT p.id, p.kind, p.name, p.issuer, p.certificates, ${jsonInstant('p.tested_at')} AS "testedAt",
       ${jsonInstant('p.failed_at')} AS "failedAt", p.failure,
       ${jsonInstant('p.disabled_at')} AS "disabledAt", p.id = t.sign_in_provider_id IS TRUE AS "isRequired"
       FROM identity_providers p WHERE p.team_id = t.id ORDER BY p.created_at, p.id`)} AS providers,
     ${jsonRows(`SELECT domain, ${jsonInstant('verified_at')} AS "verifiedAt", ${jsonInstant('checked_at')} AS "checkedAt",
       ${jsonInstant('missing_since')} AS "missingSince" FROM team_domains WHERE team_id = t.id ORDER BY domain`)} AS domains,
     ${jsonRows(`SELECT w.id, w.url, w.description, w.disabled_reason AS "disabledReason", ${jsonInstant('w.disabled_at')} AS "disabledAt",
       ${jsonInstant('w.failing_since')} AS "failingSince", ${lastFailure} AS "lastFailure"
       FROM webhooks w WHERE w.team_id = t.id ORDER BY w.created_at, w.id`)} AS webhooks,
     ${jsonRows(`SELECT ${listedClientColumns} FROM oauth_clients r WHERE r.owner_team_id = t.id ORDER BY r.created_at, r.id`)} AS clients,
     ${jsonRows(`SELECT ${auditEntries.columns} FROM audit_entries r WHERE r.team_id = t.id AND ${isNoReading('r')}
       ORDER BY r.at DESC, r.id DESC LIMIT ${latestCount}`)} AS entries
   FROM teams t WHERE t.slug = $1`,
)

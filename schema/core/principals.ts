import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import type { Team } from '../../prisma/generated/client/client.ts'
import type { Application, DateFormat, Role } from '../../prisma/generated/client/enums.ts'
import type { Scope } from './scopes.ts'
import type { AnyStaffRole } from './staff/staff-role.ts'

/** Columns that only `Team.billingDetails` reads (schema/invoices/billing-details.ts). */
type BillingColumn = 'billingName' | 'billingAddress' | 'vatId' | 'invoiceRecipients'

/**
 * A team's row. Its instants are `Date` when Prisma read it, and RFC 3339 text when the authentication statement did:
 * every request authenticates, and most do not return these fields.
 */
export type AccessibleTeam = Omit<
  Team,
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
  | 'erasedAt'
  | 'twoFactorRequiredAt'
  | 'signInRequiredAt'
  | 'signInRequirementSetAt'
  | 'agentHosts'
  | BillingColumn
> &
  Record<'createdAt' | 'updatedAt', Date | string> &
  Record<'twoFactorRequiredAt' | 'signInRequiredAt', Date | string | null>

/** A team that a principal can access, with the user's rights in it. A team token has the rights of an owner. */
export interface TeamAccess {
  team: AccessibleTeam
  role: Role
  allApplications: boolean
  applications: readonly Application[]
  /** True if the team requires two-factor authentication, now or after its grace period, and the user has none. */
  lacksTwoFactor: boolean
  /** Last sign-in through the provider that the team requires, in seconds since 1970, 0 for never; null if it is not required. */
  requiredSignInAt: number | null
}

/**
 * The teams that a caller can access, as one request sees them. Authentication loads those that the request probably needs; others are
 * loaded when a field needs them (`schema/core/team-access/lazy-teams.ts`). Only `schema/core/team-access/team-access.ts` uses them.
 */
export interface AccessibleTeams {
  /** Number of teams; null if they are not all loaded. */
  readonly count: number | null
  /** Returns the team with this slug or internal key; null if the caller cannot access it. */
  find(pool: StatementPool, key: 'slug' | 'id', value: string): TeamAccess | null | Promise<TeamAccess | null>
  /** Returns all teams, by slug. */
  all(pool: StatementPool): readonly TeamAccess[] | Promise<readonly TeamAccess[]>
}

interface Authenticated {
  /** Identifier of the token, grant or session. */
  credentialId: string
  /** The scopes of the credential; role and team limit it further. */
  scopes: ReadonlySet<Scope>
  /** The teams that the credential can access at the time of the request. */
  teams: AccessibleTeams
  expiresAt: Date | null
}

/** The settings by which pages and mails show times to a person. */
export interface TimeSettings {
  /** IANA time zone; null for UTC. */
  timezone: string | null
  dateFormat: DateFormat
}

/** An open support session. `expiresAt` is RFC 3339. */
export interface OpenSupport {
  teamId: string | null
  expiresAt: string
}

/** A user who is authenticated by one of their credentials. */
export interface UserPrincipal extends Authenticated {
  kind: 'user'
  authenticationMethod: 'oauth' | 'personal_token' | 'session'
  user: { id: string; name: string; email: string; emailVerified: boolean }
  /** The role of a user who is staff, or null; always null for `oauth`, since clients do not receive it. */
  staffRole: AnyStaffRole | null
  /** For `oauth`: the client that acts for the user, the slug of its grant's team, and when the grant expires. */
  client: { clientId: string; name: string; team: string | null; grantExpiresAt: Date; providerId?: string | null } | null
  /** For `session`: time of the last authentication; null if it lacked the second factor of the account, or if an owner ended the session in a team. */
  authenticatedAt: Date | null
  /** For `session`: true if the user has proved two factors in it. Null for other credentials, for which only the account is checked. */
  provedTwoFactor: boolean | null
  /** For `session`: the sign-ins of the session, which decide how much it can access. Null for other credentials. */
  signIns: SignIns | null
  /** For `session`: the user's picture. */
  pictureId: string | null
  /** For `session`: identifier of the team that the user opened last on the account site. The user may no longer have access to it. */
  lastTeamId: string | null
  /** For `session`: the settings by which pages show times to the user. */
  timeSettings: TimeSettings | null
  /** For `session`: the open support sessions of the account, whose `teamId` is null, and of the teams that the user owns. */
  openSupport?: readonly OpenSupport[]
  /** True for staff who read a page of a team, or of the account of `user`, in a support session: with the rights of its opener, but no mutation. */
  isInSupportSession?: true
  /** For `personal_token`: true if it is limited to teams that the user chose. */
  isLimitedToTeams?: boolean
}

/** A caller that belongs to one team: a team token, a client of the team, or a workload identity. */
export interface TeamPrincipal extends Authenticated {
  kind: 'team'
  authenticationMethod: 'team_token' | 'client' | 'workload_identity'
  /** The name of the token, the client or the identity. */
  name: string
  /** For `client`: its public identifier. */
  clientId: string | null
}

/** The operator of the service at the command line, who can access every team as an owner. */
export interface OperatorPrincipal {
  kind: 'operator'
  authenticationMethod: 'command_line'
  name: string
  /** Why the operator acts, if they say so. */
  reason?: string
}

/** A user who acts as staff, in a mutation that is open to their role. It has no other rights of the user (docs/decisions/staff.md#acts). */
export interface StaffPrincipal extends Authenticated {
  kind: 'staff'
  authenticationMethod: 'personal_token' | 'session'
  user: UserPrincipal['user']
  staffRole: AnyStaffRole
  /** Why they act, which the people concerned read. */
  reason: string
  /** Identifiers of the users who receive a mail about the act. */
  notified: Set<string>
}

/** The service itself, as the actor of timed changes. It sends no request. */
export interface SystemPrincipal {
  kind: 'system'
  authenticationMethod: 'schedule'
  name: string
}

/**
 * A token that registers clients of a team, as the actor of the registration (RFC 7591 §3). It can do nothing else, so it is no `Principal`.
 */
export interface RegistrationActor {
  kind: 'team'
  authenticationMethod: 'initial_access_token'
  /** The hint of the token. */
  name: string
  credentialId: string
}

/** An unauthenticated caller on the account site, who may sign in, sign up and open links from mails. */
export interface AnonymousPrincipal {
  kind: 'anonymous'
  authenticationMethod: 'account_site'
  name: string
  scopes: ReadonlySet<Scope>
  teams: AccessibleTeams
  expiresAt: null
}

/** The caller. When a kind is added, the compiler lists every place that must handle it. */
export type Principal = UserPrincipal | TeamPrincipal | AnonymousPrincipal | OperatorPrincipal | StaffPrincipal

/** The sign-ins of a session (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches). */
export interface SignIns {
  /** The identity providers of teams through which the user signed in. */
  providerIds: readonly string[]
  /** The teams of these providers, which vouch for the user. */
  vouchedTeamIds: readonly string[]
  /** True if the user has proved the account in the session, so that not only these teams vouch for the user. */
  hasOwnProof: boolean
  /** True if the session can access those teams only, and not the account. */
  isLimited: boolean
  /** The teams that the user, as an owner, opened with a passkey although they require sign-in through a provider. */
  ownerAccessTeamIds: readonly string[]
  /** The teams whose owners ended the session there. */
  endedTeamIds: readonly string[]
}

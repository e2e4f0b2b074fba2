import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import type { Application, DateFormat, Role } from '../../prisma/generated/client/enums.ts'
import type { Team } from '../../prisma/generated/client/client.ts'
import type { Scope } from './scopes.ts'
import type { SignIns } from './sign-ins.ts'

/**
 * A team's row. Its instants are `Date` when Prisma read it, and RFC 3339 text when the authentication statement did:
 * every request authenticates, and most do not return these fields.
 */
export type AccessibleTeam = Omit<
  Team,
  'createdAt' | 'updatedAt' | 'deletedAt' | 'erasedAt' | 'twoFactorRequiredAt' | 'signInRequiredAt' | 'signInRequirementSetAt'
> &
  Record<'createdAt' | 'updatedAt', Date | string> &
  Record<'twoFactorRequiredAt' | 'signInRequiredAt', Date | string | null>

/** A team that a principal can access, with the user's rights in it. A team token acts as an owner. */
export interface TeamAccess {
  team: AccessibleTeam
  role: Role
  allApplications: boolean
  applications: readonly Application[]
  /** Whether the team requires two-factor authentication, now or after its grace period, and the user has none. */
  lacksTwoFactor: boolean
  /** When the user last signed in through the provider that the team requires: seconds since 1970, 0 for never. Null if it is not required. */
  requiredSignInAt: number | null
}

/**
 * The teams that a caller can access, as one request sees them. Authentication loads those that the request probably needs; others are
 * loaded when a field asks for them (`schema/core/team-access/lazy-teams.ts`). Only `schema/core/team-access/team-access.ts` uses them.
 */
export interface AccessibleTeams {
  /** Number of teams; null if they are not all loaded. */
  readonly count: number | null
  /** The team with this slug or internal key; null if the caller cannot access it. */
  find(pool: StatementPool, key: 'slug' | 'id', value: string): TeamAccess | null | Promise<TeamAccess | null>
  /** All teams, by slug. */
  all(pool: StatementPool): readonly TeamAccess[] | Promise<readonly TeamAccess[]>
}

interface Authenticated {
  /** Identifier of the token, grant or session. */
  credentialId: string
  /** The scopes of the credential; role and team limit it further. */
  scopes: ReadonlySet<Scope>
  /** The teams that it can access at the time of the request. */
  teams: AccessibleTeams
  expiresAt: Date | null
}

/** How a person reads times. */
export interface TimeSettings {
  /** IANA time zone; null for UTC. */
  timezone: string | null
  dateFormat: DateFormat
}

/** A user, through one of their credentials. */
export interface UserPrincipal extends Authenticated {
  kind: 'user'
  authenticationMethod: 'oauth' | 'personal_token' | 'session'
  user: { id: string; name: string; email: string; emailVerified: boolean }
  /** Whether the user belongs to the staff; always false for `oauth`, since clients do not receive it. */
  isStaff: boolean
  /** For `oauth`: the client that acts for the user, the slug of its grant's team, and when the grant expires. */
  client: { clientId: string; team: string | null; grantExpiresAt: Date } | null
  /** For `session`: when the user last authenticated; null if that was without the second factor, which the account has. */
  authenticatedAt: Date | null
  /** For `session`: whether the user has proved two factors in it. Null for other credentials, of which only the account is asked. */
  provedTwoFactor: boolean | null
  /** For `session`: how the user signed in, which decides how far the session reaches. Null for other credentials. */
  signIns: SignIns | null
  /** For `session`: the user's picture. */
  pictureId: string | null
  /** For `session`: how pages show times to the user. */
  timeSettings: TimeSettings | null
  /** For `personal_token`: whether it is limited to teams that the user chose. */
  isLimitedToTeams?: boolean
}

/** A service of one team: through a team token, as a client of the team, or as a workload identity. */
export interface TeamPrincipal extends Authenticated {
  kind: 'team'
  authenticationMethod: 'team_token' | 'client' | 'workload_identity'
  /** The name of the token, the client or the identity. */
  name: string
  /** For `client`: its public identifier. */
  clientId: string | null
}

/** The operator of the service at the command line. Can access every team, as an owner. */
export interface OperatorPrincipal {
  kind: 'operator'
  authenticationMethod: 'command_line'
  name: string
}

/** The service itself: what happens by time. It sends no request. */
export interface SystemPrincipal {
  kind: 'system'
  authenticationMethod: 'schedule'
  name: string
}

/** An unauthenticated caller on the account site. May sign in, sign up and open links from mails. */
export interface AnonymousPrincipal {
  kind: 'anonymous'
  authenticationMethod: 'account_site'
  name: string
  scopes: ReadonlySet<Scope>
  teams: AccessibleTeams
  expiresAt: null
}

/** The caller. A new kind makes the compiler list every place that must decide about it. */
export type Principal = UserPrincipal | TeamPrincipal | AnonymousPrincipal | OperatorPrincipal

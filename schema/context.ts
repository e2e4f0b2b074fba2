import type { Database, Transaction } from '../prisma/client.ts'
import type { Application, Role } from '../prisma/generated/client/enums.ts'
import type { Team } from '../prisma/generated/client/client.ts'
import type { Scope } from './scopes.ts'

/** A team's row; its instants as Prisma reads them, or as the text they leave as, since every request has some. */
export type ReachedTeam = Omit<Team, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', Date | string>

/** A team within reach of a principal, with what the person may do there; a team token acts as an owner. */
export interface Reach {
  team: ReachedTeam
  role: Role
  allApplications: boolean
  applications: readonly Application[]
}

interface Authenticated {
  /** Identifier of the token, grant or session. */
  credentialId: string
  /** What the credential itself carries; roles and teams narrow it further. */
  scopes: ReadonlySet<Scope>
  /** Every team within reach at this moment, by slug. */
  teams: readonly Reach[]
  expiresAt: Date | null
}

/** A person, through one of their credentials. */
export interface UserPrincipal extends Authenticated {
  kind: 'user'
  via: 'oauth' | 'personal_token' | 'session'
  user: { id: string; name: string; email: string; emailVerified: boolean }
  /** The client acting for the person and the slug of the team of its grant, for `oauth`. */
  client: { clientId: string; team: string | null } | null
  /** When the person last proved who they are, for `session`. */
  authenticatedAt: Date | null
}

/** A service of one team, through a team token. */
export interface TeamPrincipal extends Authenticated {
  kind: 'team'
  via: 'team_token'
  /** The token's name. */
  name: string
}

/** The operator of the service, at the command line: reaches every team, as an owner. */
export interface OperatorPrincipal {
  kind: 'operator'
  via: 'command_line'
  name: string
}

/** Somebody at the account site who is not signed in: may sign up, and use the links of mails. */
export interface VisitorPrincipal {
  kind: 'visitor'
  via: 'account_site'
  name: string
  scopes: ReadonlySet<Scope>
  teams: readonly Reach[]
  expiresAt: null
}

/** Who asks. A new kind makes the compiler list every place that must decide. */
export type Principal = UserPrincipal | TeamPrincipal | VisitorPrincipal | OperatorPrincipal

/** What an invitation's mail says. The link's secret is derived when it is sent, never stored. */
export interface InvitationMail {
  kind: 'invitation'
  invitationId: string
  /** Base64url of the nonce this mail belongs to; one renewed meanwhile is not sent. */
  nonce: string
}

/** A mail with a link; what the link does, and for whom, is its row's to say. Without a row, nobody is written to. */
export interface LinkMail {
  kind: 'verify-email' | 'account-exists' | 'change-email' | 'reset-password'
  linkId: string
}

/** Tells a person that their password is another one, or that it signs in alone from now on. */
export interface NoticeMail {
  kind: 'password-changed' | 'second-factor-off'
  userId: string
  /** When, RFC 3339. */
  at: string
}

/** Tells an address that it is no longer that of an account. */
export interface EmailChangedMail {
  kind: 'email-changed'
  userId: string
  /** The address that was, to which it goes. */
  recipient: string
  /** When, RFC 3339. */
  at: string
}

/** What the outbox carries: what a mail is about, and never its text or a secret. Read when it is sent. */
export type Mail = InvitationMail | LinkMail | NoticeMail | EmailChangedMail

/** A session that was ended: whose it was, and which clients were signed in to by it. */
export interface EndedSession {
  accountId: string
  /** By client: under which identifier it knows the session. */
  authorizations: Readonly<Record<string, { sid?: string }>>
}

/** What the schema needs from above, handed in by `src/app.ts`. */
export interface Ports {
  database: Database
  /** The present instant; tests move it. */
  now(): Date
  /** Puts a mail in the outbox within the transaction: it leaves if, and only if, the transaction commits. */
  sendMail(transaction: Transaction, mail: Mail): Promise<void>
  /** Told, after the commit, of sessions that a mutation ended: their clients hear of it, and nobody waits for that. */
  sessionsEnded(sessions: readonly EndedSession[]): void
  /** Keyed digest under SECRET_KEY, for secrets that are derived instead of stored. */
  deriveSecret(purpose: string, data: Uint8Array): Buffer
  invitationDays: number
  /** Whether anybody may sign up, or only who holds an invitation. */
  signUp: 'open' | 'invited'
  /** Public origin, without a slash at its end: what passkeys belong to. */
  authUrl: string
}

export interface Context extends Ports {
  /** Null where no credential was sent: every field refuses, introspection included. */
  principal: Principal | null
  /** As in `X-Request-Id`; audit entries carry it. */
  requestId: string
}

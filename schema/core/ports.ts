import type { Database } from '../../prisma/connection/database.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Mail } from './mails/mails.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { ProviderFailure } from './observation/observation.ts'
import type { Tracer } from './observation/tracing.ts'
import type { SocialClients } from './social-clients.ts'

/** A session that a mutation ended, with the clients that were signed in through it. */
export interface EndedSession {
  accountId: string
  /** By client identifier: the `sid` under which the client knows the session. */
  authorizations: Readonly<Record<string, { sid?: string }>>
}

/** HMAC under SECRET_KEY, for secrets that are derived instead of stored. Use it for data that is written. */
export interface DeriveSecret {
  (purpose: string, data: Uint8Array): Buffer
  /** The secrets under SECRET_KEY and, if set, SECRET_KEY_PREVIOUS. Use them for data that is read: it can be under either key. */
  accepted(purpose: string, data: Uint8Array): readonly Buffer[]
}

/** What the schema needs from higher layers; `src/app.ts` provides it. */
export interface Ports {
  database: Database
  /** The current time; tests move it. */
  now(): Date
  /** Adds a mail to the outbox within the transaction: it is sent if, and only if, the transaction commits. */
  sendMail(transaction: Transaction, mail: Mail): Promise<void>
  /** Called after the commit with the sessions that a mutation ended. Starts logout notifications and does not wait for them. */
  sessionsEnded(sessions: readonly EndedSession[]): void
  /** Called when a sign-in fails because its identity provider cannot be used. Reports it to the operator. */
  providerFailed(failure: ProviderFailure): void
  deriveSecret: DeriveSecret
  outgoing: Outgoing
  invitationDays: number
  /** Invitation mails that a person can send in a day; 0 for no limit. */
  rateLimitInvitations: number
  deletedTeamDays: number
  /** Days for which audit entries, and so the events of teams, are kept; 0 for ever. */
  auditDays: number
  /** Days for which a sign-in through a provider that a team requires counts. */
  providerSignInDays: number
  /** Whether sign-up is open to everyone or requires an invitation. */
  signUp: 'open' | 'invited'
  /** The clients of this service at public identity providers, as far as the operator has set them up. */
  socialProviders: SocialClients
  /** Whether teams can register OAuth clients, and whether an operator reviews them before others can connect them. */
  clientRegistration: 'closed' | 'reviewed' | 'open'
  /** Public origin without a trailing slash; passkeys are bound to it. */
  authUrl: string
  /** Name of the product. A password must not consist of it. */
  brandName: string
  tracer?: Tracer | undefined
}

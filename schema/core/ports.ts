import type { Database } from '../../prisma/connection/database.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { FailedSignIn } from './attempts/failed-sign-in.ts'
import type { Mail } from './mails/mails.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { ProviderFailure } from './observation/observation.ts'
import type { Tracer } from './observation/tracing.ts'
import type { SocialClients } from './social-clients.ts'

/** A session that a mutation ended, with the clients that were signed in through it. */
export interface EndedSession {
  accountId: string
  /** The `sid` under which each client identifies the session, by client identifier. */
  authorizations: Readonly<Record<string, { sid?: string }>>
}

/** Derives HMAC secrets under SECRET_KEY, which are not stored. Call it for data that is written. */
export interface DeriveSecret {
  (purpose: string, data: Uint8Array): Buffer
  /** Derives the secrets under SECRET_KEY and, if set, SECRET_KEY_PREVIOUS. Call it for data that is read: it can be under either key. */
  accepted(purpose: string, data: Uint8Array): readonly Buffer[]
}

/** The functions and settings that the schema needs from higher layers; `src/app.ts` provides them. */
export interface Ports {
  database: Database
  /** Returns the current time; tests change it. */
  now(): Date
  /** Adds a mail to the outbox within the transaction: it is sent if, and only if, the transaction commits. */
  sendMail(transaction: Transaction, mail: Mail): Promise<void>
  /** Called after the commit with the sessions that a mutation ended. Starts logout notifications and does not wait for them. */
  sessionsEnded(sessions: readonly EndedSession[]): void
  /** Called when a sign-in fails because its identity provider cannot be used. Reports it to the operator. */
  providerFailed(failure: ProviderFailure): void
  /**
   * Records a failed sign-in after the response, whether or not there is such an account. The response, and the statements that it waits for,
   * therefore do not reveal whether there is one.
   */
  signInFailed(failure: FailedSignIn): void
  deriveSecret: DeriveSecret
  outgoing: Outgoing
  invitationDays: number
  /** Invitation mails that a person can send in a day; 0 for no limit. */
  rateLimitInvitations: number
  deletedTeamDays: number
  /** Days for which audit entries, and so the events of teams, are kept; 0 means that they are never deleted. */
  auditDays: number
  /** Days for which a sign-in through a required provider remains valid. */
  providerSignInDays: number
  /** `open` if everyone can sign up; `invited` if sign-up requires an invitation. */
  signUp: 'open' | 'invited'
  /** True if users can sign in with a code that is emailed to them. */
  emailSignIn: boolean
  /** The clients of this service at the public identity providers that the operator has configured. */
  socialProviders: SocialClients
  /** `closed` if teams cannot register OAuth clients; `reviewed` if an operator reviews them before other teams can connect them. */
  clientRegistration: 'closed' | 'reviewed' | 'open'
  /** Who can connect clients by URL: no one, members of teams that allow the host, or everyone. */
  clientMetadataDocuments: 'off' | 'reviewed' | 'any'
  /** Public origin without a trailing slash; passkeys are bound to it. */
  authUrl: string
  /** Name of the product. A password must not consist of it. */
  brandName: string
  tracer?: Tracer | undefined
}

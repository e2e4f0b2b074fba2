import { randomUUID } from 'node:crypto'
import { GraphQLError, parse } from 'graphql'
import type { User } from '../../../prisma/generated/client/client.ts'
import { LazyTeams, noTeams } from '../../../schema/core/team-access/lazy-teams.ts'
import type { Context } from '../../../schema/core/context.ts'
import type { OperatorPrincipal, Principal, UserPrincipal, AnonymousPrincipal } from '../../../schema/core/principals.ts'
import { DomainError } from '../../../schema/core/errors.ts'
import { execute } from '../../../schema/execute.ts'
import { effectiveScopes, scopes } from '../../../schema/core/scopes.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { browserOf } from './test-browser.ts'
import { createOutgoingRequests } from '../../../src/outgoing/outgoing-requests.ts'
import { secretKey } from './test-settings.ts'
import type { TestService } from './service.ts'
import { findStaffRole } from '../../../schema/core/staff/staff-role.ts'

// Executes operations directly through `execute`, as every endpoint does. A test that is about an endpoint itself, for
// example the account site or the command line, sends real requests instead.

export const operator: OperatorPrincipal = { kind: 'operator', authenticationMethod: 'command_line', name: 'tester' }

/** A visitor of the account site who is not signed in. */
export const anonymous: AnonymousPrincipal = {
  kind: 'anonymous',
  authenticationMethod: 'account_site',
  name: 'anonymous',
  scopes: new Set(),
  teams: noTeams,
  expiresAt: null,
}

/** Returns the principal of a user who has just signed in to the account site, with every scope. */
export async function sessionOf(
  { database: { prisma }, clock }: Pick<TestService, 'database' | 'clock'>,
  user: User,
): Promise<UserPrincipal> {
  const memberships = await prisma.member.findMany({ where: { userId: user.id }, include: { team: true } })
  const teams = memberships.map(({ team, role, allApplications, applications }) => ({
    team,
    role,
    allApplications,
    applications,
    lacksTwoFactor: false,
    requiredSignInAt: null,
  }))
  return {
    kind: 'user',
    authenticationMethod: 'session',
    credentialId: 'session-1',
    scopes: effectiveScopes(Object.keys(scopes), findStaffRole(user)),
    teams: new LazyTeams(null, teams),
    expiresAt: null,
    user,
    staffRole: findStaffRole(user),
    client: null,
    authenticatedAt: clock.now(),
    provedTwoFactor: true,
    signIns: { providerIds: [], vouchedTeamIds: [], hasOwnProof: true, isLimited: false, ownerAccessTeamIds: [], endedTeamIds: [] },
    pictureId: user.pictureId,
    lastTeamId: user.lastTeamId,
    timeSettings: user,
  }
}

export interface Outcome {
  data: any
  /** The first DomainError, or null. `executeAs` throws every other error. */
  refusal: DomainError | null
  requestId: string
}

const testOutgoing = createOutgoingRequests({ outgoingAllowedHosts: ['127.0.0.1', 'localhost', '::1'], dnsServers: [] })

type InProcessService = Pick<TestService, 'database' | 'clock' | 'mails'> & Partial<Pick<TestService, 'outgoing'>>

/** The context of an operation that a principal executes. */
export function contextOf(
  { database, clock, mails, outgoing = testOutgoing }: InProcessService,
  principal: Principal,
  sendMail: Context['sendMail'] = async (_, mail) => void mails.push(mail),
  browser: Context['browser'] = browserOf(principal),
): Context {
  return {
    database,
    now: clock.now,
    sendMail,
    sessionsEnded: () => {},
    providerFailed: () => {},
    signInFailed: () => {},
    deriveSecret: secretDeriver(secretKey),
    outgoing,
    invitationDays: 7,
    rateLimitInvitations: 0,
    deletedTeamDays: 14,
    auditDays: 400,
    providerSignInDays: 30,
    signUp: 'open',
    emailSignIn: true,
    socialProviders: {},
    clientRegistration: 'reviewed',
    clientMetadataDocuments: 'reviewed',
    authUrl: 'https://accounts.example',
    brandName: 'Nimbus Ledger',
    principal,
    browser,
    requestId: randomUUID(),
  }
}

/** Executes a document as a principal and returns its data and its first refusal. */
export async function executeAs(
  service: InProcessService,
  principal: Principal,
  source: string,
  variables: Record<string, unknown> = {},
  sendMail?: Context['sendMail'],
  browser?: Context['browser'],
): Promise<Outcome> {
  const context = contextOf(service, principal, sendMail, browser)
  const { data = null, errors = [] } = await execute(parse(source), variables, context)
  const causes = errors.map((error) => (error instanceof GraphQLError && error.originalError) || error)
  const unexpected = causes.find((cause) => !(cause instanceof DomainError))
  if (unexpected) throw unexpected
  return { data, refusal: causes.find((cause) => cause instanceof DomainError) ?? null, requestId: context.requestId }
}

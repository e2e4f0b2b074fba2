import { randomUUID } from 'node:crypto'
import { GraphQLError, parse } from 'graphql'
import type { User } from '../../prisma/generated/client/client.ts'
import type { Context, OperatorPrincipal, Principal, UserPrincipal, VisitorPrincipal } from '../../schema/context.ts'
import { DomainError } from '../../schema/errors.ts'
import { execute } from '../../schema/execute.ts'
import { isScope, scopes } from '../../schema/scopes.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { secretKey } from './pace.ts'
import type { TestService } from './service.ts'

// Sessions and operators come through doors of their own; until one of them is what a test is about, it executes as
// they do, through the one function behind every door.

export const operator: OperatorPrincipal = { kind: 'operator', via: 'command_line', name: 'tester' }

/** Somebody at the account site who is not signed in. */
export const visitor: VisitorPrincipal = {
  kind: 'visitor',
  via: 'account_site',
  name: 'visitor',
  scopes: new Set(),
  teams: [],
  expiresAt: null,
}

/** A person's account-site session, of this moment, with every scope. */
export async function sessionOf(
  { database: { prisma }, clock }: Pick<TestService, 'database' | 'clock'>,
  user: User,
): Promise<UserPrincipal> {
  const memberships = await prisma.member.findMany({ where: { userId: user.id }, include: { team: true } })
  return {
    kind: 'user',
    via: 'session',
    credentialId: 'session-1',
    scopes: new Set(Object.keys(scopes).filter(isScope)),
    teams: memberships,
    expiresAt: null,
    user,
    client: null,
    authenticatedAt: clock.now(),
  }
}

export interface Outcome {
  data: any
  /** The first refusal; null where there is none. A fault is thrown. */
  refusal: DomainError | null
  requestId: string
}

export async function executeAs(
  { database, clock, mails }: Pick<TestService, 'database' | 'clock' | 'mails'>,
  principal: Principal,
  source: string,
  variables: Record<string, unknown> = {},
  sendMail: Context['sendMail'] = async (_, mail) => void mails.push(mail),
): Promise<Outcome> {
  const context: Context = {
    database,
    now: clock.now,
    sendMail,
    sessionsEnded: () => {},
    deriveSecret: secretDeriver(secretKey),
    invitationDays: 7,
    signUp: 'open',
    authUrl: 'https://accounts.example',
    principal,
    requestId: randomUUID(),
  }
  const { data = null, errors = [] } = await execute(parse(source), variables, context)
  const causes = errors.map((error) => (error instanceof GraphQLError && error.originalError) || error)
  const fault = causes.find((cause) => !(cause instanceof DomainError))
  if (fault) throw fault
  return { data, refusal: causes.find((cause) => cause instanceof DomainError) ?? null, requestId: context.requestId }
}

import { isDeepStrictEqual } from 'node:util'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRows } from '../../../prisma/statement/write-row.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { toAuditAction } from './actions.ts'
import type { AuditAction, TeamAction } from './actions.ts'
import type { Context } from '../context.ts'
import type { EndedSession } from '../ports.ts'
import type { Principal, RegistrationActor, StaffPrincipal, SystemPrincipal, UserPrincipal } from '../principals.ts'
import { unauthenticated } from '../errors.ts'
import { completeAct } from '../staff/complete-act.ts'
import { recordIdempotencyKey } from '../database/idempotency.ts'

/** The content of an audit entry. Values never contain a secret. */
export interface AuditedChange {
  /** The team of the change, if any. */
  teamId?: string | null
  /** Identifier of the object that was changed; the action determines its type. */
  subject: string
  /** Current name of the subject; the entry may outlive the subject. */
  subjectName?: string
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
}

/** The result of a change and its audit entry. */
export interface Change<Result> extends AuditedChange {
  result: Result
  /** True if the object already had the requested state, so that nothing was written. Default: `before` equals `after`. */
  isUnchanged?: boolean
  /** Sessions that the change ended. */
  endedSessions?: readonly EndedSession[]
  /** True if the caller receives the result, but nothing is written. Only with `mayDiscard`. */
  isDiscarded?: boolean
  /** The user whose account the change concerns, who receives a mail about an act of staff. */
  accountId?: string | null
  /** The address that an invitation goes to. Staff may not decide about an invitation of their own. */
  invitedEmail?: string | null
}

/**
 * Runs `work` and writes its audit entry in one transaction, so that neither exists without the other. Every mutation writes through this
 * function, except those that sign in a user, which have no audit entry. The entry's action is the mutation's name; a change that changes
 * nothing has none, and is refused to staff. Ended sessions are reported after the commit.
 *
 * `mayDiscard` is for requests about an address whose account the caller must not learn about: a discarded change runs the same statements
 * and leaves no rows, jobs or audit entry. It uses a savepoint instead of a rollback, so that the commit takes as long, too: it waits for
 * the disk in both cases.
 */
export async function change<Result>(
  context: Context,
  { fieldName }: { fieldName: string },
  work: (transaction: Transaction) => Promise<Change<Result>>,
  { mayDiscard = false } = {},
): Promise<Result> {
  const { result, endedSessions = [] } = await inTransaction(context.database, async (transaction) => {
    await recordIdempotencyKey(transaction, context)
    if (mayDiscard) transaction.defer(transaction.query({ text: 'SAVEPOINT before_change' }))
    const { principal } = context
    // A transaction that is repeated after a conflict sends its mails again.
    if (principal?.kind === 'staff') principal.notified.clear()
    const { result, endedSessions, isUnchanged: isSame, isDiscarded = false, ...concerned } = await work(transaction)
    const { accountId = null, invitedEmail = null, ...entry } = concerned
    const isUnchanged = isSame ?? isNoChange(entry)
    if (principal?.kind === 'staff')
      await completeAct(transaction, context, principal, { action: fieldName, accountId, invitedEmail, isUnchanged, ...entry })
    if (!isUnchanged) writeAuditEntry(transaction, context, toAuditAction(fieldName), entry)
    if (mayDiscard && isDiscarded) transaction.defer(transaction.query({ text: 'ROLLBACK TO SAVEPOINT before_change' }))
    else if (mayDiscard) transaction.defer(transaction.query({ text: 'RELEASE SAVEPOINT before_change' }))
    return { result, endedSessions }
  })
  if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
  return result
}

const isNoChange = ({ before, after }: Pick<Change<unknown>, 'before' | 'after'>) =>
  before !== undefined && after !== undefined && isDeepStrictEqual(before, after)

/** Returns the old and new values of the members that differ, and whether no member differs. */
export function difference(before: Prisma.InputJsonObject, after: Prisma.InputJsonObject) {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const pick = (members: Prisma.InputJsonObject) => Object.fromEntries(names.map((name) => [name, members[name]]))
  return { before: pick(before), after: pick(after), isUnchanged: names.length === 0 }
}

/** The properties of a user in an audit entry. The consent page has no others. */
interface UserActor extends Pick<UserPrincipal, 'kind' | 'authenticationMethod'> {
  user: Pick<UserPrincipal['user'], 'id' | 'name'>
  credentialId: string | null
  /** The client that acts for the user, if any. */
  client?: Pick<NonNullable<UserPrincipal['client']>, 'name'> | null
}
/** The service itself, as the actor of changes that no request makes. */
export const systemPrincipal: SystemPrincipal = { kind: 'system', authenticationMethod: 'schedule', name: 'system' }

/** Staff who act, or who read a page in a support session, for which they state no reason. */
type StaffActor = Pick<StaffPrincipal, 'kind' | 'authenticationMethod' | 'user' | 'credentialId'> & Partial<Pick<StaffPrincipal, 'reason'>>

type Actor = UserActor | StaffActor | Exclude<Principal, UserPrincipal | StaffPrincipal> | RegistrationActor | SystemPrincipal

/** The actor and the request of a change. */
export type Recorder = Pick<Context, 'now' | 'requestId'> & { principal: Actor | null }

/** An entry of an action. Only an action in a team, which has a label on the team's pages, has a team. */
type EntryOf<Action extends AuditAction> = Action extends TeamAction ? AuditedChange : AuditedChange & { teamId?: null }

/** Writes an audit entry with the commit. `change` calls it; a mutation calls it for objects that it changes besides its own subject. */
export function writeAuditEntry<Action extends AuditAction>(
  transaction: Transaction,
  context: Recorder,
  action: Action,
  entry: EntryOf<Action>,
): void {
  writeAuditEntries(transaction, context, action, [entry])
}

/** Writes several entries, with one statement for every thousand. */
export function writeAuditEntries<Action extends AuditAction>(
  transaction: Transaction,
  context: Recorder,
  action: Action,
  entries: readonly EntryOf<Action>[],
): void {
  const { principal, now, requestId } = context
  if (!principal) throw unauthenticated()
  const reason = principal.kind === 'staff' || principal.kind === 'operator' ? (principal.reason ?? null) : null
  const common = { ...actorColumns(principal), action, at: now(), requestId, reason }
  const rows = entries.map(({ teamId = null, subject, subjectName = null, before = null, after = null }) =>
    Object.assign({ teamId, subject, subjectName, before, after }, common),
  )
  // A statement has at most 65,535 parameters.
  for (let start = 0; start < rows.length; start += 1000)
    transaction.defer(insertRows(transaction, 'audit_entries', rows.slice(start, start + 1000)))
}

function actorColumns(principal: Actor) {
  const { kind: actorKind, authenticationMethod } = principal
  switch (principal.kind) {
    case 'user':
    case 'staff': {
      const { user, credentialId } = principal
      const actor = { actorKind, authenticationMethod, actorName: user.name, actorUserId: user.id }
      return { ...actor, credentialId, clientName: principal.kind === 'user' ? (principal.client?.name ?? null) : null }
    }
    case 'team':
      return {
        actorKind,
        authenticationMethod,
        actorName: principal.name,
        actorUserId: null,
        credentialId: principal.credentialId,
        clientName: null,
      }
    case 'anonymous':
    case 'operator':
    case 'system':
      return { actorKind, authenticationMethod, actorName: principal.name, actorUserId: null, credentialId: null, clientName: null }
  }
}

/**
 * Builds SQL that writes an entry of a timed change for each row of a table with the columns `team_id`, `subject`, `subject_name`, `before`
 * and `after`. `at` is SQL, too.
 */
export const insertSystemEntries = (action: TeamAction, at: string, rows: string): string =>
  `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, subject_name, before, after, request_id)
   SELECT ${at}, '${action}', 'system', 'system', 'schedule', team_id, subject, subject_name, before, after, gen_random_uuid()::text FROM ${rows}`

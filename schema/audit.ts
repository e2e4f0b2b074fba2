import type { Transaction } from '../prisma/client.ts'
import type { Prisma } from '../prisma/generated/client/client.ts'
import type { Context, EndedSession, Principal } from './context.ts'
import { authenticated } from './reach.ts'

/** What a change did, for its one audit entry. Values never hold a secret. */
export interface Change<Result> {
  result: Result
  /** The team concerned, where there is one. */
  teamId?: string
  /** What was changed: an identifier that the action explains. */
  subject: string
  /** Name of what the identifier stands for, as it is now; the entry outlives it. */
  subjectName?: string
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
  /** Sessions that it ended. */
  endedSessions?: readonly EndedSession[]
}

// Fifty at once may wait for one row and for a connection; past this the database counts as out of reach (503).
const patience = { maxWait: 10_000, timeout: 15_000 }

/**
 * The only way a mutation writes: `work` and its audit entry in one transaction, so that neither exists without the
 * other. `action` is the mutation's name. Who is to hear of sessions that ended does after the commit.
 */
export async function change<Result>(
  context: Context,
  { fieldName: action }: { fieldName: string },
  work: (transaction: Transaction) => Promise<Change<Result>>,
): Promise<Result> {
  const principal = authenticated(context)
  const { result, endedSessions = [] } = await context.database.prisma.$transaction(async (transaction) => {
    const { result, endedSessions, ...entry } = await work(transaction)
    await transaction.auditEntry.create({
      data: { ...actor(principal), ...entry, action, at: context.now(), requestId: context.requestId },
    })
    return { result, endedSessions }
  }, patience)
  if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
  return result
}

function actor(principal: Principal) {
  const { kind: actorKind, via } = principal
  switch (principal.kind) {
    case 'user':
      return { actorKind, via, actorName: principal.user.name, actorUserId: principal.user.id, credentialId: principal.credentialId }
    case 'team':
      return { actorKind, via, actorName: principal.name, credentialId: principal.credentialId }
    case 'visitor':
    case 'operator':
      return { actorKind, via, actorName: principal.name }
  }
}

import type { Transaction } from '../prisma/client.ts'
import type { Session } from '../prisma/generated/client/client.ts'
import type { EndedSession } from './context.ts'

/**
 * What oidc-provider keeps of a session is what a browser is signed in by; the session's own row goes with it. Answers
 * what ended, for `change` to hand on once it is committed.
 */
export async function endSessions(transaction: Transaction, sessions: readonly Pick<Session, 'uidHash'>[]): Promise<EndedSession[]> {
  const hashes = sessions.map(({ uidHash }) => uidHash)
  return transaction.$queryRaw<EndedSession[]>`
    DELETE FROM oauth_artifacts WHERE kind = 'Session' AND uid_hash = ANY(${hashes}::bytea[])
    RETURNING payload->>'accountId' AS "accountId", coalesce(payload->'authorizations', '{}') AS authorizations`
}

/** Signs a person out everywhere, but for the session that asks; answers what ended. */
export async function endSessionsOf(transaction: Transaction, userId: string, exceptId?: string): Promise<EndedSession[]> {
  const sessions = await transaction.session.findMany({ where: { userId }, select: { id: true, uidHash: true } })
  return endSessions(
    transaction,
    sessions.filter(({ id }) => id !== exceptId),
  )
}

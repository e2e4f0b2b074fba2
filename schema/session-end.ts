import type { Transaction } from '../prisma/client.ts'
import type { Session } from '../prisma/generated/client/client.ts'

/** What oidc-provider keeps of a session is what a browser is signed in by; the session's own row goes with it. */
export async function endSessions(transaction: Transaction, sessions: readonly Pick<Session, 'uidHash'>[]): Promise<void> {
  await transaction.oAuthArtifact.deleteMany({ where: { kind: 'Session', uidHash: { in: sessions.map(({ uidHash }) => uidHash) } } })
}

/** Signs a person out everywhere, but for the session that asks; answers of how many browsers. */
export async function endSessionsOf(transaction: Transaction, userId: string, exceptId?: string): Promise<number> {
  const sessions = await transaction.session.findMany({ where: { userId }, select: { id: true, uidHash: true } })
  const others = sessions.filter(({ id }) => id !== exceptId)
  await endSessions(transaction, others)
  return others.length
}

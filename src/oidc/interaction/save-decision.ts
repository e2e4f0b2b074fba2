import { isDeepStrictEqual } from 'node:util'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { writeAuditEntry } from '../../../schema/core/audit/audit.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { sendNotice, userToNotify } from '../../../schema/core/notices/send-notice.ts'
import type { Browser } from '../request-context.ts'
import { saveGrant } from '../storage/grant.ts'
import type { Decision } from '../storage/grant.ts'
import type { ConsentRequest } from './consent-request.ts'

interface DecisionPorts extends Pick<Ports, 'database' | 'now' | 'sendMail'> {
  requestId: string
}

/** Saves the decision of a user with its audit entry and, if it connects the app, notifies the user. Returns the grant's identifier. */
export function saveDecision(
  { database, now, sendMail, requestId }: DecisionPorts,
  { client, user: { id: userId }, teams }: ConsentRequest,
  decision: Omit<Decision, 'userId' | 'oauthClientId'>,
  browser: Browser,
): Promise<string> {
  return inTransaction(database, async (transaction) => {
    const [{ id, isNew, before, scopes }, [user]] = await Promise.all([
      saveGrant(transaction, { userId, oauthClientId: client.id, ...decision }, now()),
      userToNotify(transaction, userId),
    ])
    if (!user || isDeepStrictEqual(before, scopes)) return id
    const principal = { kind: 'user', authenticationMethod: 'session', user, credentialId: null } as const
    writeAuditEntry(transaction, { principal, now, requestId }, isNew ? 'createGrant' : 'extendGrant', {
      ...(decision.teamId !== null && { teamId: decision.teamId }),
      subject: id,
      subjectName: client.name,
      ...(before && { before: { scopes: before } }),
      after: { userId, clientId: client.clientId, scopes },
    })
    if (!isNew) return id
    const data = { name: client.name, team: teams?.find((team) => team.id === decision.teamId)?.name ?? null }
    await sendNotice(transaction, { now, sendMail, principal: null, browser }, user, 'app-connected', data)
    return id
  })
}

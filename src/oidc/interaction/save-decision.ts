import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Ports } from '../../../schema/core/context.ts'
import { sendNotice, userToNotify } from '../../../schema/core/notices/send-notice.ts'
import type { Browser } from '../request-context.ts'
import { saveGrant } from '../storage/grant.ts'
import type { Decision } from '../storage/grant.ts'
import type { ConsentRequest } from './consent-request.ts'

/** Saves the decision of a user and, if it connects the application, notifies the user. Returns the grant's identifier. */
export function saveDecision(
  { database, now, sendMail }: Pick<Ports, 'database' | 'now' | 'sendMail'>,
  { client, user: { id: userId }, teams }: ConsentRequest,
  decision: Omit<Decision, 'userId' | 'oauthClientId'>,
  browser: Browser,
): Promise<string> {
  return inTransaction(database, async (transaction) => {
    const { id, isNew } = await saveGrant(transaction, { userId, oauthClientId: client.id, ...decision }, now())
    if (!isNew) return id
    const [user] = await userToNotify(transaction, userId)
    if (!user) return id
    const data = { name: client.name, team: teams?.find((team) => team.id === decision.teamId)?.name ?? null }
    await sendNotice(transaction, { now, sendMail, principal: null, browser }, user, 'app-connected', data)
    return id
  })
}

import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../context.ts'
import type { RegistrationActor } from '../principals.ts'
import type { NoticeKind, NoticeMail, Notices } from './notices.ts'

/** The parts of the context that a notice needs. Without a principal, the user made the change. */
export interface NoticeContext extends Pick<Context, 'now' | 'sendMail'> {
  principal: Context['principal'] | RegistrationActor
  browser: NoticeMail['browser'] | null
}

/**
 * Notifies a user of a change, within its transaction. An unverified address gets no mail, because it may belong to another person, who
 * would receive notices about an account that is not theirs. The mail does not disclose the browser of another user.
 */
export async function sendNotice<Kind extends NoticeKind>(
  transaction: Transaction,
  { now, sendMail, principal, browser }: NoticeContext,
  { id: userId, emailVerified }: { id: string; emailVerified: boolean },
  kind: Kind,
  data: Notices[Kind],
): Promise<void> {
  if (!emailVerified) return
  if (principal?.kind === 'staff') principal.notified.add(userId)
  // A mail that contains the reason already does not repeat it.
  const staffReason = principal?.kind === 'staff' && !('reason' in data && data.reason !== null) ? principal.reason : null
  const by = nameOfOther(principal, userId)
  const circumstances =
    by !== null ? { by } : browser ? { browser: { userAgent: browser.userAgent.slice(0, 500), address: browser.address } } : {}
  const mail: NoticeMail<Kind> = {
    kind,
    userId,
    at: now().toISOString(),
    data,
    ...circumstances,
    ...(staffReason !== null && { staffReason }),
  }
  await sendMail(transaction, mail)
}

function nameOfOther(principal: NoticeContext['principal'], userId: string): string | null {
  if (!principal || principal.kind === 'anonymous') return null
  if (principal.kind === 'operator') return 'an operator of this service'
  if (principal.kind === 'staff') return `${principal.user.name}, staff of this service`
  if (principal.kind === 'team') return `the ${machineNames[principal.authenticationMethod]} ${principal.name}`
  return principal.user.id === userId ? null : principal.user.name
}

const machineNames = {
  team_token: 'team token',
  client: 'app',
  workload_identity: 'workload identity',
  initial_access_token: 'initial access token',
} as const

/** Selects the user with this identifier, if there is one. */
export const userToNotify = statement<{ id: string; name: string; emailVerified: boolean }, [userId: string]>(
  'user_to_notify',
  'SELECT id, name, email_verified AS "emailVerified" FROM users WHERE id = $1',
)

export const ownersToNotify = statement<{ id: string; emailVerified: boolean }, [teamId: string]>(
  'owners_to_notify',
  `SELECT u.id, u.email_verified AS "emailVerified" FROM members m JOIN users u ON u.id = m.user_id
   WHERE m.team_id = $1 AND m.role = 'owner' AND u.disabled_at IS NULL ORDER BY u.id`,
)

/** Notifies every owner of a team. */
export async function sendNoticeToOwners<Kind extends NoticeKind>(
  transaction: Transaction,
  context: NoticeContext,
  teamId: string,
  kind: Kind,
  data: Notices[Kind],
): Promise<void> {
  for (const owner of await ownersToNotify(transaction, teamId)) await sendNotice(transaction, context, owner, kind, data)
}

import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../context.ts'
import { forbidden, nothingToChange } from '../errors.ts'
import { isNoticedAct } from '../notices/notices.ts'
import { ownersToNotify, sendNotice, userToNotify } from '../notices/send-notice.ts'
import type { StaffPrincipal } from '../principals.ts'
import { includesStaffRole, staffRoleSql } from './staff-role.ts'
import type { AnyStaffRole } from './staff-role.ts'

/** What an act of staff changed, and whom it concerns. */
interface Act {
  action: string
  teamId?: string | null
  /** The user whose account it concerns, if any. */
  accountId?: string | null
  /** The address that an invitation goes to, if any. */
  invitedEmail?: string | null
  subjectName?: string | undefined
  after?: Prisma.InputJsonObject | undefined
  isUnchanged: boolean
}

interface Concerned {
  /** The highest role of staff of an account concerned. */
  staffRole: AnyStaffRole | null
  isOwn: boolean
  isMember: boolean
  team: { name: string; slug: string } | null
}

const findConcerned = statement<Concerned, [accountId: string | null, teamId: string | null, staffId: string, invitedEmail: string | null]>(
  'concerned_by_act_of_staff',
  `SELECT max(${staffRoleSql('u')}) AS "staffRole", coalesce(bool_or(u.id = $3::uuid), false) AS "isOwn",
     EXISTS (SELECT FROM members WHERE team_id = $2::uuid AND user_id = $3::uuid) AS "isMember",
     (SELECT json_build_object('name', name, 'slug', slug) FROM teams WHERE id = $2::uuid) AS team
   FROM users u WHERE u.id = $1::uuid OR u.email = $4`,
)

/**
 * Ends the transaction of an act of staff. Refuses it if it concerns the account of the actor, staff of the same or a higher role, or a team
 * of the actor, because staff must not decide about themselves or their equals. An invitation also concerns the account with its
 * address. Refuses an act that changes nothing, which would leave no trace of the object that staff receive. Each user concerned who received
 * no mail about the act yet receives one: the user of the account, and the owners of the team.
 */
export async function completeAct(transaction: Transaction, context: Context, actor: StaffPrincipal, act: Act): Promise<void> {
  const { action, teamId = null, accountId = null, invitedEmail = null, subjectName = null, after, isUnchanged } = act
  const [concerned] = await findConcerned(transaction, accountId, teamId, actor.user.id, invitedEmail)
  const isOfEqual = concerned?.staffRole != null && includesStaffRole(concerned.staffRole, actor.staffRole)
  if (concerned?.isOwn === true || isOfEqual || concerned?.isMember === true) throw forbidden('role_required')
  if (isUnchanged) throw nothingToChange()
  const owners = teamId === null ? [] : await ownersToNotify(transaction, teamId)
  const users = accountId === null ? [] : await userToNotify(transaction, accountId)
  const isEnabled = typeof after?.['enabled'] === 'boolean' ? after['enabled'] : null
  for (const user of [...users, ...owners]) {
    if (actor.notified.has(user.id)) continue
    if (!isNoticedAct(action)) throw new Error(`the act ${action} of staff has no mail`)
    const team = user.id === accountId ? null : (concerned?.team ?? null)
    await sendNotice(transaction, context, user, 'act-of-staff', { action, name: subjectName, team, isEnabled })
  }
}

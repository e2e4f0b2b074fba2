import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'
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
  subjectName?: string | undefined
  after?: Prisma.InputJsonObject | undefined
  isUnchanged: boolean
}

interface Concerned {
  staffRole: AnyStaffRole | null
  isMember: boolean
  team: { name: string; slug: string } | null
}

const findConcerned = statement<Concerned, [accountId: string | null, teamId: string | null, staffId: string]>(
  'concerned_by_act_of_staff',
  `SELECT (SELECT ${staffRoleSql('u')} FROM users u WHERE u.id = $1::uuid) AS "staffRole",
     EXISTS (SELECT FROM members WHERE team_id = $2::uuid AND user_id = $3::uuid) AS "isMember",
     (SELECT json_build_object('name', name, 'slug', slug) FROM teams WHERE id = $2::uuid) AS team`,
)

/**
 * Ends the transaction of an act of staff. Refuses it if it concerns the account of the actor, staff of the same or a higher role, or a team
 * of the actor: nobody decides about themselves, and no role reaches another of its kind. Each user concerned who received no mail about
 * the act yet receives one: the user of the account, and the owners of the team.
 */
export async function completeAct(transaction: Transaction, context: Context, actor: StaffPrincipal, act: Act): Promise<void> {
  const { action, teamId = null, accountId = null, subjectName = null, after, isUnchanged } = act
  const [concerned] = await findConcerned(transaction, accountId, teamId, actor.user.id)
  const isOfEqual = concerned?.staffRole != null && includesStaffRole(concerned.staffRole, actor.staffRole)
  if (accountId === actor.user.id || isOfEqual || concerned?.isMember === true) throw forbidden('role_required')
  if (isUnchanged) return
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

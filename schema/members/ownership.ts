import { z } from 'zod'
import { Role } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { change } from '../core/audit/audit.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { sendNotice } from '../core/notices/send-notice.ts'
import { recentOwner } from '../core/requires.ts'
import { requirePerson, requireTeamAccess } from '../core/team-access/team-access.ts'
import { hasTwoFactor } from '../core/team-access/two-factor.ts'
import { emailAddress, parse } from '../core/validation.ts'
import { TeamPayload } from '../teams/mutations.ts'
import { RoleType } from './role.ts'

const TransferOwnershipInput = builder.inputType('TransferOwnershipInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    newOwner: t.string({ required: true, description: 'Email address of the member who becomes an owner.' }),
    role: t.field({ type: RoleType, required: true, description: 'The role that the caller keeps: member or billing.' }),
  }),
})
const rules = z.object({ newOwner: emailAddress, role: z.enum([Role.member, Role.billing]) })

interface Candidate {
  id: string
  name: string
  emailVerified: boolean
  role: Role
  isDisabled: boolean
  hasTwoFactor: boolean
}

const candidate = statement<Candidate, [teamId: string, email: string]>(
  'ownership_candidate',
  `SELECT u.id, u.name, u.email_verified AS "emailVerified", m.role, u.disabled_at IS NOT NULL AS "isDisabled", ${hasTwoFactor('u.id')} AS "hasTwoFactor"
   FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND u.email = $2`,
)
const selectRole = statement<{ role: Role }, [teamId: string, userId: string]>(
  'role_of_member',
  'SELECT role FROM members WHERE team_id = $1 AND user_id = $2',
)

builder.mutationField('transferOwnership', (t) =>
  t.field({
    description:
      'Makes another member an owner and gives the caller, who is an owner, another role, in one step. Both receive an email. Other owners stay owners.',
    type: TeamPayload,
    requires: recentOwner,
    args: { input: t.arg({ type: TransferOwnershipInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id: teamId } = (await requireTeamAccess(context, input.team)).team
      const { user } = requirePerson(context)
      const { newOwner: email, role } = parse(rules, input)
      return change(context, info, async (transaction) => {
        // The caller is read again under the lock, because they may have lost the role since the request was authenticated.
        const [team, [own], [heir]] = await Promise.all([
          lockTeam(transaction, teamId),
          selectRole(transaction, teamId, user.id),
          candidate(transaction, teamId, email),
        ])
        if (own?.role !== 'owner') throw forbidden('role_required')
        const refusal = buildRefusal(heir, user.id, team.twoFactorRequiredAt !== null)
        if (!heir || refusal !== null) throw invalid({ newOwner: [refusal ?? notMember] })
        transaction.defer(updateRows(transaction, 'members', { teamId, userId: heir.id }, { role: 'owner', managed: false }))
        transaction.defer(updateRows(transaction, 'members', { teamId, userId: user.id }, { role }))
        const data = { team: team.name, slug: team.slug, to: heir.name, from: user.name, role }
        for (const each of [heir, user]) await sendNotice(transaction, context, each, 'ownership-transferred', data)
        const before = { role: heir.role, previousOwner: user.name, roleOfPreviousOwner: 'owner' }
        const after = { role: 'owner', previousOwner: user.name, roleOfPreviousOwner: role }
        return { result: { team }, teamId, subject: heir.id, subjectName: heir.name, before, after }
      })
    },
  }),
)

const notMember = 'No member of the team has this email address.'

/** Returns why a member cannot become the owner, or null. */
function buildRefusal(heir: Candidate | undefined, callerId: string, needsTwoFactor: boolean): string | null {
  if (!heir) return notMember
  if (heir.id === callerId) return 'Choose another member: you are an owner already.'
  if (heir.isDisabled) return 'The account of this member is disabled.'
  if (!heir.emailVerified) return 'This member has not verified their email address.'
  if (needsTwoFactor && !heir.hasTwoFactor) return 'This member has not turned on two-factor authentication, which the team requires.'
  return null
}

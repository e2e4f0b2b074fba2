import type { Invitation } from '../../prisma/generated/client/client.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import { accessColumns, accessibleIds } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import { sendNotice } from '../core/notices/send-notice.ts'
import { readDirectoryGroups, termsOfGroups } from '../members/groups/directory-groups.ts'
import type { MemberTerms } from '../members/groups/directory-groups.ts'
import { joinAsInvitedUser } from '../members/groups/join-team.ts'
import { groupRolesOfTeams } from '../members/groups/group-role.ts'
import { TeamType } from '../teams/team.ts'
import { respondToInvitations, lockPendingInvitation, requireAcceptable } from './answer-rules.ts'
import { InvitationPayload, TeamInvitationType } from './invitation.ts'

interface AcceptedInvitation {
  invitation: Invitation
  team: typeof TeamType.$inferType
}

const AcceptInvitationPayload = payloadType<AcceptedInvitation>('AcceptInvitationPayload', {
  description: 'The accepted invitation and the joined team.',
  fields: (t) => ({
    invitation: t.expose('invitation', { type: TeamInvitationType, description: 'The invitation.' }),
    team: t.expose('team', { type: TeamType, description: 'The joined team.' }),
  }),
})

const AnswerInvitationInput = builder.inputType('AnswerInvitationInput', {
  description: 'The invitation, by one of the two fields.',
  fields: (t) => ({
    token: t.string({ description: 'The secret of the link in the email.' }),
    id: t.id({ description: 'The identifier of one of `viewer.invitations`.' }),
  }),
})

builder.mutationFields((t) => ({
  acceptInvitation: t.field({
    description: 'Joins a team. Only the user whose verified email address was invited may accept; an invitation works once.',
    type: AcceptInvitationPayload,
    requires: { ...respondToInvitations, checksOwnProof: true },
    args: { input: t.arg({ type: AnswerInvitationInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { invitation: pending, team, person } = await lockPendingInvitation(transaction, context, input)
        const inviter = await requireAcceptable(transaction, context, pending.id)
        const { id, teamId } = pending
        const at = context.now()
        const { isManaged: managed, role, accessibleAppIds } = await termsOfAcceptance(transaction, pending, person.id, at)
        const member = { teamId, userId: person.id, role, ...accessColumns(accessibleAppIds), managed, joinedAt: at }
        transaction.defer(insertRow(transaction, 'members', member))
        const changes = { status: 'accepted', acceptedById: person.id, answeredAt: at } as const
        transaction.defer(updateRows(transaction, 'invitations', { id }, changes))
        const after = { role, accessibleAppIds }
        const data = { email: pending.email, team: team.name, slug: team.slug }
        if (inviter) await sendNotice(transaction, context, inviter, 'invitation-accepted', data)
        return { result: { invitation: { ...pending, ...changes }, team }, teamId, subject: person.id, subjectName: person.name, after }
      }),
  }),
  declineInvitation: t.field({
    description: 'Declines an invitation. Only the user whose verified email address was invited may decline.',
    type: InvitationPayload,
    requires: { ...respondToInvitations, checksOwnProof: true },
    args: { input: t.arg({ type: AnswerInvitationInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { invitation: pending } = await lockPendingInvitation(transaction, context, input)
        const { id, teamId } = pending
        const changes = { status: 'declined', answeredAt: context.now() } as const
        transaction.defer(updateRows(transaction, 'invitations', { id }, changes))
        return {
          result: { invitation: { ...pending, ...changes } },
          teamId,
          subject: id,
          subjectName: pending.email,
          after: { status: 'declined' },
        }
      }),
  }),
}))

/**
 * Returns the role and the products of a person who accepts a pending invitation to a locked team. A user whom the directory invited gets
 * those of their groups, if one of these has a role; groups do not concern owners.
 */
async function termsOfAcceptance(
  transaction: Transaction,
  invitation: Invitation,
  userId: string,
  now: Date,
): Promise<MemberTerms & { isManaged: boolean }> {
  const { teamId, role, directoryUserId } = invitation
  const terms = { role, accessibleAppIds: accessibleIds(invitation), isManaged: false }
  if (directoryUserId === null) return terms
  joinAsInvitedUser(transaction, teamId, userId, now)
  if (role === 'owner') return terms
  const [groupRoles, groups] = await Promise.all([
    groupRolesOfTeams(transaction, [teamId]),
    readDirectoryGroups(transaction, teamId, [userId]),
  ])
  const managed = termsOfGroups(groupRoles, groups.get(userId) ?? [])
  return managed ? { ...managed, isManaged: true } : terms
}

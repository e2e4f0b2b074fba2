import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import type { Invitation } from '../../prisma/generated/client/client.ts'
import { ApplicationType } from '../apps/application.ts'
import { change } from '../core/audit/audit.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { authorize } from '../core/requires.ts'
import { findTeamAccess, requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { lockTeam } from '../core/database/locks.ts'
import { isIdentifier, parse } from '../core/validation.ts'
import { RoleType } from '../members/role.ts'
import { authorizeMakingOwner } from '../members/rules.ts'
import { InvitationPayload, isOpen, requiresInviting, statusAt } from './invitation.ts'
import { invite } from './invite.ts'
import { sendInvitation } from './link.ts'
import { findRecipient, inviteRules, inviterColumns, requireRecipient } from './rules.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { reasonField } from '../core/staff/staff-acts.ts'
import type { Requirement } from '../core/requires.ts'

const InviteMemberInput = builder.inputType('InviteMemberInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    email: t.string({ required: true, description: 'The email address to invite.' }),
    role: t.field({ type: RoleType, required: true, describedBy: 'Invitation.role' }),
    accessibleAppIds: t.field({
      type: [ApplicationType],
      description: 'The products the user may use after accepting; null or absent means all.',
    }),
  }),
})
const InvitationInput = builder.inputType('InvitationInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The invitation’s identifier.' }), reason: t.string(reasonField) }),
})

builder.mutationFields((t) => ({
  inviteMember: t.field({
    description:
      'Sends an expiring invitation. Inviting an email address again while its invitation is pending renews it with a new link, role and expiry; the old link stops working.',
    type: InvitationPayload,
    requires: requiresInviting,
    args: { input: t.arg({ type: InviteMemberInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const { email, role, accessibleAppIds } = parse(inviteRules, input)
      if (role === 'owner') authorizeMakingOwner(context)
      const inviter = inviterColumns(context)
      return change(context, info, async (transaction) => {
        const [, { invitation, isRenewed }] = await Promise.all([
          lockTeam(transaction, team.id),
          invite(transaction, context, { teamId: team.id, email, inviter, chooseTerms: () => ({ role, accessibleAppIds }) }),
        ])
        return {
          result: { invitation },
          teamId: team.id,
          subject: invitation.id,
          subjectName: email,
          after: { role, accessibleAppIds, renewed: isRenewed },
        }
      })
    },
  }),
  resendInvitation: t.field({
    description: 'Sends an invitation again with a new link and expiry if its `canBeResent` is true; the old link stops working.',
    type: InvitationPayload,
    requires: requiresResending,
    args: { input: t.arg({ type: InvitationInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const current = await findAccessibleInvitation(context, input.id, requiresResending)
      const { teamId, email } = current
      const isByStaff = requirePrincipal(context).kind === 'staff'
      const inviter = isByStaff ? currentInviter(current) : inviterColumns(context)
      return change(context, info, async (transaction) => {
        const [pending, recipient] = await Promise.all([
          lockOpenInvitation(transaction, current),
          findRecipient(transaction, context, teamId, email, inviter),
        ])
        if (pending.role === 'owner' && !isByStaff) authorizeMakingOwner(context)
        requireRecipient(recipient)
        const { role, allApplications, applications, directoryUserId } = pending
        const data = { teamId, email, role, allApplications, applications, directoryUserId, ...inviter }
        const invitation = await sendInvitation(transaction, context, data, pending)
        const after = { expiresAt: invitation.expiresAt.toISOString() }
        return { result: { invitation }, teamId, invitedEmail: email, subject: invitation.id, subjectName: email, after }
      })
    },
  }),
  revokeInvitation: t.field({
    description: 'Revokes a pending invitation; its link stops working.',
    type: InvitationPayload,
    requires: requiresInviting,
    args: { input: t.arg({ type: InvitationInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const opened = await findAccessibleInvitation(context, input.id)
      const { id, teamId, email } = opened
      return change(context, info, async (transaction) => {
        const current = await lockOpenInvitation(transaction, opened)
        const at = context.now()
        const changes = { status: 'revoked', answeredAt: at } as const
        transaction.defer(updateRows(transaction, 'invitations', { id }, changes))
        const invitation = { ...current, ...changes }
        const before = { status: statusAt(current, at) }
        return { result: { invitation }, teamId, subject: id, subjectName: email, before, after: { status: 'revoked' } }
      })
    },
  }),
}))

/** The requirement to resend an invitation. Staff send it as its inviter, whose rights decide whether it can be accepted. */
const requiresResending: Requirement = { ...requiresInviting, staffRole: 'support' }

/** Returns the columns of the inviter of an invitation. */
const currentInviter = ({ invitedById, invitedByTokenId, invitedByMachineId }: Invitation) => ({
  invitedById,
  invitedByTokenId,
  invitedByMachineId,
})

type Terms = Pick<Invitation, 'status' | 'role' | 'allApplications' | 'applications'>

const termsOfInvitation = statement<Terms & Record<'createdAt' | 'expiresAt', string>, [id: string]>(
  'terms_of_invitation',
  `SELECT status, role, all_applications AS "allApplications", to_json(applications) AS applications, created_at AS "createdAt",
     expires_at AS "expiresAt" FROM invitations WHERE id = $1`,
)

/** Locks the invitation's team, which prevents a concurrent reply, and reads the invitation; throws `not_found` unless it is open. */
async function lockOpenInvitation(transaction: Transaction, invitation: Invitation): Promise<Invitation> {
  const [, [terms]] = await Promise.all([lockTeam(transaction, invitation.teamId), termsOfInvitation(transaction, invitation.id)])
  if (!terms || !isOpen(terms)) throw notFound('the invitation was answered, revoked or replaced')
  return { ...invitation, ...terms, createdAt: new Date(terms.createdAt), expiresAt: new Date(terms.expiresAt) }
}

/** Returns an invitation to a team in which the caller may invite. Throws `not_found` for any other, whether it exists or not. */
async function findAccessibleInvitation(
  context: Context,
  globalId: string,
  requirement: Requirement = requiresInviting,
): Promise<Invitation> {
  const id = parseIdentifier(globalId, ['TeamInvitation'])
  const invitation = isIdentifier(id) ? await context.database.prisma.invitation.findUnique({ where: { id } }) : null
  const teamAccess = invitation && (await findTeamAccess(context, 'id', invitation.teamId))
  if (!teamAccess) throw notFound()
  authorize(context, requirement, teamAccess)
  return invitation
}

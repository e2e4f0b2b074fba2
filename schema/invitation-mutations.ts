import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import { ApplicationType, RoleType, accessColumns, accessibleIds, applicationAccess, role } from './application.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { forbidden, notFound } from './errors.ts'
import { answerable, invitationToAnswer, refuseVoid } from './invitation-answer.ts'
import { limitSending, refuseMember, sendLink } from './invitation-link.ts'
import { TeamInvitationType, isOpen, requiresInviting, statusAt } from './invitation.ts'
import { lockTeam, mayMakeOwner } from './ownership.ts'
import { authenticated, reachById, reachTeam } from './reach.ts'
import { authorize } from './requires.ts'
import { TeamType } from './team.ts'
import { emailAddress, isIdentifier, parse } from './validation.ts'

type InvitationShape = typeof TeamInvitationType.$inferType

const InvitationPayload = builder.objectRef<{ invitation: InvitationShape }>('InvitationPayload').implement({
  description: 'An invitation as it is after the change.',
  fields: (t) => ({ invitation: t.expose('invitation', { type: TeamInvitationType, description: 'The invitation.' }) }),
})
const AcceptInvitationPayload = builder
  .objectRef<{ invitation: InvitationShape; team: typeof TeamType.$inferType }>('AcceptInvitationPayload')
  .implement({
    description: 'The accepted invitation and the team joined.',
    fields: (t) => ({
      invitation: t.expose('invitation', { type: TeamInvitationType, description: 'The invitation.' }),
      team: t.expose('team', { type: TeamType, description: 'The team joined.' }),
    }),
  })

/** What an invitation is made of (decisions §4). */
export const invitationRules = {
  email: emailAddress.describe('The address to invite.'),
  role: role.describe('The role assigned after acceptance.'),
  accessibleAppIds: applicationAccess.describe('The applications the member may use; null grants all team applications.'),
}
const inviteRules = z.object({ ...invitationRules, accessibleAppIds: invitationRules.accessibleAppIds.default(null) })

const InviteMemberInput = builder.inputType('InviteMemberInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    email: t.string({ required: true, description: 'The address to invite.' }),
    role: t.field({ type: RoleType, required: true, description: 'The role that accepting gives.' }),
    accessibleAppIds: t.field({ type: [ApplicationType], description: 'The applications that accepting gives; null or absent: all.' }),
  }),
})
const InvitationInput = builder.inputType('InvitationInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The invitation’s identifier.' }) }),
})
const AnswerInvitationInput = builder.inputType('AnswerInvitationInput', {
  fields: (t) => ({ token: t.string({ required: true, description: 'The secret of the link in the mail.' }) }),
})

builder.mutationFields((t) => ({
  inviteMember: t.field({
    description:
      'Sends an expiring invitation. Inviting a pending address again renews it: new link, role and expiry; the old link is dead.',
    type: InvitationPayload,
    requires: requiresInviting,
    args: { input: t.arg({ type: InviteMemberInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await reachTeam(context, input.team)
      const { email, role, accessibleAppIds } = parse(inviteRules, input)
      if (role === 'owner') mayMakeOwner(context)
      return change(context, info, async (transaction) => {
        await lockTeam(transaction, team.id)
        await refuseMember(transaction, team.id, email)
        await limitSending(transaction, context, team.id, email)
        const now = context.now()
        await transaction.invitation.updateMany({
          where: { teamId: team.id, email, status: 'pending', expiresAt: { lte: now } },
          data: { status: 'expired' },
        })
        const pending = await transaction.invitation.findFirst({ where: { teamId: team.id, email, status: 'pending' } })
        const terms = { role, ...accessColumns(accessibleAppIds), ...inviter(context) }
        const invitation = await sendLink(transaction, context, { id: pending?.id, teamId: team.id, email, ...terms })
        return { result: { invitation }, teamId: team.id, subject: email, after: { role, accessibleAppIds, renewed: pending !== null } }
      })
    },
  }),
  resendInvitation: t.field({
    description: 'Sends an invitation again, with a new link and expiry, where its `canBeResent` is true; the old link is dead.',
    type: InvitationPayload,
    requires: requiresInviting,
    args: { input: t.arg({ type: InvitationInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id, teamId, email } = await invitationOfTeam(context, input.id)
      return change(context, info, async (transaction) => {
        const present = await lockOpen(transaction, teamId, id)
        if (present.role === 'owner') mayMakeOwner(context)
        await refuseMember(transaction, teamId, email)
        await limitSending(transaction, context, teamId, email)
        const { role, allApplications, applications } = present
        const invitation = await sendLink(transaction, context, {
          id,
          teamId,
          email,
          role,
          allApplications,
          applications,
          ...inviter(context),
        })
        return { result: { invitation }, teamId, subject: email, after: { expiresAt: invitation.expiresAt.toISOString() } }
      })
    },
  }),
  revokeInvitation: t.field({
    description: 'Revokes a pending invitation; its link is dead.',
    type: InvitationPayload,
    requires: requiresInviting,
    args: { input: t.arg({ type: InvitationInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id, teamId, email } = await invitationOfTeam(context, input.id)
      return change(context, info, async (transaction) => {
        const present = await lockOpen(transaction, teamId, id)
        const invitation = await transaction.invitation.update({ where: { id }, data: { status: 'revoked', answeredAt: context.now() } })
        return {
          result: { invitation },
          teamId,
          subject: email,
          before: { status: statusAt(present, context.now()) },
          after: { status: 'revoked' },
        }
      })
    },
  }),
  acceptInvitation: t.field({
    description: 'Joins a team. For the person whose verified address was invited; works once.',
    type: AcceptInvitationPayload,
    requires: answerable,
    args: { input: t.arg({ type: AnswerInvitationInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { present, person } = await invitationToAnswer(transaction, context, input.token)
        await refuseVoid(transaction, context, present)
        await refuseMember(transaction, present.teamId, present.email)
        const { id, teamId, role, allApplications, applications } = present
        const at = context.now()
        await transaction.member.create({ data: { teamId, userId: person.id, role, allApplications, applications, joinedAt: at } })
        const answer = { status: 'accepted', acceptedById: person.id, answeredAt: at } as const
        const { team, ...invitation } = await transaction.invitation.update({ where: { id }, data: answer, include: { team: true } })
        return {
          result: { invitation, team },
          teamId,
          subject: person.id,
          subjectName: person.name,
          after: { role, accessibleAppIds: accessibleIds(present) },
        }
      }),
  }),
  declineInvitation: t.field({
    description: 'Declines an invitation. For the person whose verified address was invited.',
    type: InvitationPayload,
    requires: answerable,
    args: { input: t.arg({ type: AnswerInvitationInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { present, person } = await invitationToAnswer(transaction, context, input.token)
        const answer = { status: 'declined', answeredAt: context.now() } as const
        const invitation = await transaction.invitation.update({ where: { id: present.id }, data: answer })
        return {
          result: { invitation },
          teamId: present.teamId,
          subject: person.id,
          subjectName: person.name,
          after: { status: 'declined' },
        }
      }),
  }),
}))

/** The invitation under the lock of its team, so that nobody answers it meanwhile; `not_found` when it is over. */
async function lockOpen(transaction: Transaction, teamId: string, id: string) {
  await lockTeam(transaction, teamId)
  const present = await transaction.invitation.findUnique({ where: { id } })
  if (!present || !isOpen(present)) throw notFound('answered, revoked or followed by another')
  return present
}

/** Who stands for the invitation until it is accepted. Not the operator: nobody could later say whether they still may. */
function inviter(context: Context) {
  const principal = authenticated(context)
  if (principal.kind === 'operator') throw forbidden('role_required')
  return {
    invitedById: principal.kind === 'user' ? principal.user.id : null,
    invitedByTokenId: principal.kind === 'team' ? principal.credentialId : null,
  }
}

/** An invitation of a team the principal may invite to; any other is `not_found`, whether it exists or not. */
async function invitationOfTeam(context: Context, id: string) {
  const principal = authenticated(context)
  const invitation = isIdentifier(id) ? await context.database.prisma.invitation.findUnique({ where: { id } }) : null
  const inReach = invitation && (principal.kind === 'operator' || principal.teams.some(({ team }) => team.id === invitation.teamId))
  if (!inReach) throw notFound()
  authorize(context, requiresInviting, await reachById(context, invitation.teamId))
  return invitation
}

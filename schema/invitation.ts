import type { Invitation } from '../prisma/generated/client/client.ts'
import { InvitationStatus } from '../prisma/generated/client/enums.ts'
import { ApplicationType, RoleType, accessibleIds, enumType } from './application.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { notFound } from './errors.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { TeamType } from './team.ts'
import { isIdentifier } from './validation.ts'

export const InvitationStatusType = enumType('InvitationStatus', 'Where an invitation stands.', InvitationStatus)

/** Expiry needs nobody to write it down: a pending invitation past its time is expired. */
export const statusAt = ({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): InvitationStatus =>
  status === 'pending' && expiresAt <= now ? 'expired' : status

/** Nobody answered or revoked it. One that expired is written down as such once another follows, and is over then. */
export const isOpen = ({ status }: Pick<Invitation, 'status'>): boolean => status === 'pending'

export const TeamInvitationType = builder.prismaObject('Invitation', {
  name: 'TeamInvitation',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    role: t.expose('role', { type: RoleType }),
    accessibleAppIds: t.field({
      description: 'The applications that accepting gives; null means all of the team’s.',
      type: [ApplicationType],
      nullable: true,
      resolve: accessibleIds,
    }),
    status: t.field({
      description: about('Invitation.status'),
      type: InvitationStatusType,
      resolve: (invitation, _, context) => statusAt(invitation, context.now()),
    }),
    canBeResent: t.boolean({
      description: 'Whether it is open to being sent again: neither answered nor revoked, nor followed by another after it expired.',
      resolve: isOpen,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    sentAt: t.expose('sentAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    answeredAt: t.expose('answeredAt', { type: 'DateTime', nullable: true }),
  }),
})

/** Inviting, and all there is to see and do with invitations of a team (decisions §5). */
export const requiresInviting = { scopes: ['acct:team:invitations:write'], roles: ['owner'] } as const

builder.objectFields(TeamType, (t) => ({
  invitations: t.field({
    description: 'All invitations to the team, newest first.',
    type: pageType('TeamInvitationPage', TeamInvitationType),
    complexity: listComplexity,
    requires: requiresInviting,
    args: pageArguments,
    resolve: async (team, args, { database: { prisma } }) => {
      const { page, perPage, offset } = slice(args)
      const where = { teamId: team.id }
      const [total, nodes] = await Promise.all([
        prisma.invitation.count({ where }),
        prisma.invitation.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], skip: offset, take: perPage }),
      ])
      return { nodes, total, page, perPage }
    },
  }),
  invitation: t.field({
    description: 'One invitation.',
    type: TeamInvitationType,
    requires: requiresInviting,
    args: { id: t.arg.id({ required: true, description: 'The invitation’s identifier.' }) },
    resolve: async (team, { id }, { database: { prisma } }) => {
      const invitation = isIdentifier(id) ? await prisma.invitation.findFirst({ where: { id, teamId: team.id } }) : null
      if (!invitation) throw notFound()
      return invitation
    },
  }),
}))

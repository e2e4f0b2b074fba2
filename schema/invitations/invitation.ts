import type { Invitation } from '../../prisma/generated/client/client.ts'
import type { InvitationStatus } from '../../prisma/generated/client/enums.ts'
import { ApplicationType, accessibleIds } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { enumType } from '../builder/enum-type.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { isIdentifier } from '../core/validation.ts'
import { RoleType } from '../members/role.ts'
import { TeamType } from '../teams/team.ts'
import { invitationList } from './invitation-list.ts'
import type { InvitationOrder } from './invitation-list.ts'
import { parseIdentifier } from '../core/global-id.ts'

export const InvitationStatusType = enumType('InvitationStatus', 'The state of an invitation.', {
  pending: 'Sent and not answered.',
  accepted: 'The person joined the team.',
  declined: 'The person declined.',
  revoked: 'An owner revoked it.',
  expired: 'Not answered in time.',
} satisfies Record<InvitationStatus, string>)

const InvitationOrderType = orderByType('InvitationOrder', 'invitations', {
  created: 'When the email address was first invited.',
  email: 'The invited email address.',
  sent: 'When the email was last requested.',
} satisfies Record<InvitationOrder, string>)

/** Returns the status at an instant. No job records expiry: a pending invitation past its expiry counts as expired. */
export const statusAt = ({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): InvitationStatus =>
  status === 'pending' && expiresAt <= now ? 'expired' : status

/**
 * Returns true if the invitation can still be resent or revoked, even after its expiry. An expired invitation is stored as `expired` only
 * when the same address is invited again; then the new invitation takes its place.
 */
export const isOpen = ({ status }: Pick<Invitation, 'status'>): boolean => status === 'pending'

/** The field of an invitation's products, for its team and for the holder of its link. */
export const accessibleAppIdsField = {
  description: 'The products the user may use after accepting; null means all of the team’s products.',
  type: [ApplicationType] as [typeof ApplicationType],
  nullable: true,
  resolve: accessibleIds,
} as const
export const isFromDirectoryField = {
  description: 'Whether the directory of the team invited the person through SCIM. An owner can have sent the invitation again.',
  resolve: ({ directoryUserId }: Pick<Invitation, 'directoryUserId'>) => directoryUserId !== null,
} as const
export const statusField = {
  describedBy: 'Invitation.status',
  type: InvitationStatusType,
  resolve: (invitation: Invitation, _: unknown, { now }: Pick<Context, 'now'>) => statusAt(invitation, now()),
} as const

export const TeamInvitationType = builder.prismaObject('Invitation', {
  name: 'TeamInvitation',
  fields: (t) => ({
    invitationId: t.exposeID('id'),
    email: t.exposeString('email'),
    role: t.expose('role', { type: RoleType }),
    accessibleAppIds: t.field(accessibleAppIdsField),
    status: t.field(statusField),
    isFromDirectory: t.boolean(isFromDirectoryField),
    canBeResent: t.boolean({
      description: 'Whether it can be sent again: it was not answered or revoked, and no later invitation replaced it.',
      resolve: isOpen,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    sentAt: t.expose('sentAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    answeredAt: t.expose('answeredAt', { type: 'DateTime', nullable: true }),
  }),
})

export const InvitationPayload = payloadType<{ invitation: Invitation }>('InvitationPayload', {
  description: 'An invitation after the change.',
  fields: (t) => ({ invitation: t.expose('invitation', { type: TeamInvitationType, description: 'The invitation.' }) }),
})

/** The requirement for creating, seeing, resending and revoking a team's invitations (docs/decisions/permissions.md#operations). */
export const requiresInviting = { scopes: ['acct:team:invitations:write'], roles: ['owner'] } as const

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'invitations', {
    description: 'All invitations to the team.',
    page: pageType('TeamInvitationPage', TeamInvitationType),
    connection: connectionType('TeamInvitation', TeamInvitationType),
    requires: requiresInviting,
    list: invitationList,
    args: builder.args((arg) => ({
      status: arg.field({ type: InvitationStatusType, description: 'Only invitations with this status.' }),
      search: arg.string({ description: 'Only invitations to email addresses that contain this text, in upper or lower case.' }),
      orderBy: arg.field({ type: InvitationOrderType, description: 'The order; default by the first invitation, latest first.' }),
    })),
    query: ({ status, search, orderBy }) => ({
      filters: { status, search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'created', direction: 'desc' },
    }),
  }),
  invitation: t.prismaField({
    description: 'One invitation.',
    type: TeamInvitationType,
    requires: requiresInviting,
    args: { id: t.arg.id({ required: true, description: 'The invitation’s identifier.' }) },
    resolve: async (query, team, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['TeamInvitation'], team)
      const invitation = isIdentifier(id) ? await prisma.invitation.findUnique({ ...query, where: { id, teamId: team.id } }) : null
      if (!invitation) throw notFound()
      return invitation
    },
  }),
}))

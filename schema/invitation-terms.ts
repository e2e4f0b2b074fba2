import type { Application, InvitationStatus, Role } from '../prisma/generated/client/enums.ts'
import { ApplicationType, RoleType, accessibleIds } from './application.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { inviterIsOwner } from './invitation-answer.ts'
import { InvitationStatusType, statusAt } from './invitation.ts'
import { siteOnly } from './requires.ts'
import { sha256 } from './secret.ts'

interface Terms {
  teamName: string
  inviterName: string | null
  email: string
  role: Role
  accessibleAppIds: Application[] | null
  status: InvitationStatus
  expiresAt: Date
  isVoid: boolean
}

const InvitationTermsType = builder.objectRef<Terms>('InvitationTerms').implement({
  description: 'What an invitation says to whoever holds the secret of its link.',
  fields: (t) => ({
    teamName: t.exposeString('teamName', { description: about('Team.name') }),
    inviterName: t.exposeString('inviterName', {
      nullable: true,
      description: 'Name of the owner who invited; null where a team token did, or the account is gone.',
    }),
    email: t.exposeString('email', { description: about('Invitation.email') }),
    role: t.expose('role', { type: RoleType, description: about('Invitation.role') }),
    accessibleAppIds: t.expose('accessibleAppIds', {
      type: [ApplicationType],
      nullable: true,
      description: 'The applications that accepting gives; null means all of the team’s.',
    }),
    status: t.expose('status', { type: InvitationStatusType, description: about('Invitation.status') }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: about('Invitation.expiresAt') }),
    isVoid: t.exposeBoolean('isVoid', { description: 'Whether its inviter may no longer invite, so that it can only be declined.' }),
  }),
})

builder.queryField('invitation', (t) =>
  t.field({
    description:
      'The invitation behind the secret of a link, before it is answered or after; null for a link that never was or was renewed. For the account site.',
    type: InvitationTermsType,
    nullable: true,
    requires: siteOnly,
    args: { token: t.arg.string({ required: true, description: 'The secret of the link in the mail.' }) },
    resolve: async (_, { token }, context) => {
      const { prisma } = context.database
      const include = { team: { select: { name: true } }, invitedBy: { select: { name: true } } } as const
      const found = await prisma.invitation.findUnique({ where: { tokenHash: sha256(token) }, include })
      if (!found) return null
      const { email, role, expiresAt } = found
      return {
        teamName: found.team.name,
        inviterName: found.invitedBy?.name ?? null,
        email,
        role,
        accessibleAppIds: accessibleIds(found),
        status: statusAt(found, context.now()),
        expiresAt,
        isVoid: !(await inviterIsOwner(prisma, context, found)),
      }
    },
  }),
)

import { builder } from '../builder/builder.ts'
import { requirePerson } from '../core/team-access.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { answerInvitations } from './answer-rules.ts'
import { InvitationTermsType } from './invitation-terms.ts'

builder.objectField(ViewerType, 'invitations', (t) =>
  t.prismaField({
    description:
      'The pending invitations to the verified address of the user, newest first, at most 50. `acceptInvitation` and `declineInvitation` answer them by `id`.',
    type: [InvitationTermsType],
    requires: answerInvitations,
    resolve: (query, _, __, context) => {
      const { email, emailVerified } = requirePerson(context).user
      if (!emailVerified) return []
      const where = { email, status: 'pending', expiresAt: { gt: context.now() }, team: { deletedAt: null } } as const
      return context.database.prisma.invitation.findMany({ ...query, where, orderBy: [{ sentAt: 'desc' }, { id: 'asc' }], take: 50 })
    },
  }),
)

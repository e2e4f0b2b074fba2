import { builder } from '../builder/builder.ts'
import { ViewerType, visiblePerson } from '../viewer/viewer.ts'
import { UserType } from './user.ts'

builder.objectField(ViewerType, 'user', (t) =>
  t.prismaField({
    description: 'The user’s account. A client that acts for a user needs both the scopes `profile` and `email`.',
    type: UserType,
    nullable: true,
    resolve: (query, viewer, _, { database }) => {
      const user = visiblePerson(viewer, 'profile', 'email')
      return user && database.prisma.user.findUniqueOrThrow({ ...query, where: { id: user.id } })
    },
  }),
)

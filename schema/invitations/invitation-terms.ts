import type { Prisma } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { withLinkLimit } from '../core/attempts/count-attempt.ts'
import { accountSiteOnly } from '../core/requires.ts'
import { sha256 } from '../core/sha256.ts'
import { loadById } from '../lists/batch.ts'
import { pictureFiles, pictureUrl } from '../pictures/picture-url.ts'
import { RoleType } from '../members/role.ts'
import { invitersWhoMayInvite } from './answer-rules.ts'
import { accessibleAppIdsField, isFromDirectoryField, statusField } from './invitation.ts'

/** The relations that are loaded with the terms of an invitation. */
const termsParts = {
  team: { select: { name: true, logoId: true } },
  invitedBy: { select: { name: true } },
} as const satisfies Prisma.InvitationInclude
export type InvitationTerms = Prisma.InvitationGetPayload<{ include: typeof termsParts }>

export const InvitationTermsType = builder.prismaObject('Invitation', {
  variant: 'InvitationTerms',
  include: termsParts,
  description:
    'An invitation as the invited user and the holder of its link see it. It names the team and the sender without links, because the user cannot access them before `acceptInvitation`, whose payload has the team.',
  fields: (t) => ({
    invitationId: t.exposeID('id'),
    teamName: t.string({
      describedBy: 'Team.name',
      resolve: ({ team }) => team.name,
    }),
    teamLogoUrl: t.string({
      description: `URL of the team’s logo, ${pictureFiles}`,
      nullable: true,
      resolve: ({ team }, _, context) => pictureUrl(context, team.logoId),
    }),
    inviterName: t.string({
      description: 'Name of the owner who sent the invitation; null if a team token sent it or the account was deleted.',
      nullable: true,
      resolve: ({ invitedBy }) => invitedBy?.name ?? null,
    }),
    isFromDirectory: t.boolean(isFromDirectoryField),
    email: t.exposeString('email'),
    role: t.expose('role', { type: RoleType }),
    accessibleAppIds: t.field(accessibleAppIdsField),
    status: t.field(statusField),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    isVoid: t.boolean({
      description: 'Whether its sender may no longer invite, so that it can only be declined.',
      resolve: async ({ id }, _, context) => {
        const find = (ids: string[]) => invitersWhoMayInvite(context.database.pool, ids, context.now())
        return (await loadById(context, 'inviters', id, find)) === null
      },
    }),
  }),
})

const token = { required: true, description: 'The secret of the link in the email.' } as const

builder.queryFields((t) => ({
  openedInvitation: t.prismaField({
    description:
      'The invitation of the link that the browser opened, whether answered or not; null if the secret is unknown, which counts as an attempt of the client’s IP address. For the account site.',
    type: InvitationTermsType,
    nullable: true,
    requires: accountSiteOnly,
    args: { token: t.arg.string(token) },
    resolve: (query, _, { token }, context) =>
      withLinkLimit(context, () => context.database.prisma.invitation.findUnique({ ...query, where: { tokenHash: sha256(token) } })),
  }),
  invitation: t.prismaField({
    description:
      'The invitation of a link whose secret the browser saved, whether answered or not; null if a newer link replaced it. For the account site.',
    type: InvitationTermsType,
    nullable: true,
    requires: accountSiteOnly,
    args: { token: t.arg.string(token) },
    resolve: (query, _, { token }, { database }) =>
      database.prisma.invitation.findUnique({ ...query, where: { tokenHash: sha256(token) } }),
  }),
}))

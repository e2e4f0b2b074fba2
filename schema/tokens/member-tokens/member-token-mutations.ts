import { statement } from '../../../prisma/statement/statement.ts'
import { change } from '../../core/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { notFound } from '../../core/errors.ts'
import { revokeTeamAccess } from '../../core/requires.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { MemberTokenType, tokensWithAccess } from './member-token.ts'
import { memberTokenParts } from './member-token-list.ts'
import type { MemberToken } from './member-token-list.ts'
import { identifierOf } from '../../core/global-id.ts'

const RevokeTokenTeamAccessInput = builder.inputType('RevokeTokenTeamAccessInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    tokenId: t.id({ required: true, description: 'The token’s identifier.' }),
  }),
})
const RevokeTokenTeamAccessPayload = payloadType<{ token: MemberToken }>('RevokeTokenTeamAccessPayload', {
  description: 'The token after the change.',
  fields: (t) => ({ token: t.expose('token', { type: MemberTokenType, description: 'The token.' }) }),
})

builder.mutationField('revokeTokenTeamAccess', (t) =>
  t.field({
    description: 'Revokes the access of a member’s personal token to the team. The token keeps its access to other teams.',
    type: RevokeTokenTeamAccessPayload,
    requires: revokeTeamAccess,
    args: { input: t.arg({ type: RevokeTokenTeamAccessInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const id = identifierOf(input.tokenId, ['MemberToken'])
      if (!isIdentifier(id)) throw notFound()
      const where = { id, ...tokensWithAccess(team.id, context.now()) }
      const token = await context.database.prisma.accessToken.findFirst({ where, include: memberTokenParts })
      if (!token) throw notFound()
      return change(context, info, async (transaction) => {
        if ((await endTeamAccess(transaction, id, team.id)).length === 0)
          throw notFound('the team access was revoked, or the token deleted, at the same time')
        const changed = { ...token, revokedTeamIds: [...token.revokedTeamIds, team.id] }
        return {
          result: { token: changed },
          teamId: team.id,
          subject: id,
          subjectName: token.name,
          after: { userId: token.userId, cut: team.slug },
        }
      })
    },
  }),
)

/** Returns a row unless the access has ended: of several teams revoked at the same time none is lost, and none is added twice. */
const endTeamAccess = statement<object, [id: string, teamId: string]>(
  'end_team_access_of_token',
  `UPDATE access_tokens SET revoked_team_ids = revoked_team_ids || $2::uuid
   WHERE id = $1 AND $2::uuid <> ALL (revoked_team_ids) RETURNING id`,
)

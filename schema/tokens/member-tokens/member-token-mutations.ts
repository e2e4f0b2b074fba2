import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { notFound } from '../../core/errors.ts'
import { revokeTeamAccess } from '../../core/requires.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { takeTeamFrom } from '../../core/team-access/reach.ts'
import { isIdentifier } from '../../core/validation.ts'
import { findTokensWithAccess } from './member-token-list.ts'
import type { MemberToken } from './member-token-list.ts'
import { MemberTokenType } from './member-token.ts'
import { parseIdentifier } from '../../core/global-id.ts'

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

const takeTeamFromToken = takeTeamFrom('access_tokens')

builder.mutationField('revokeTokenTeamAccess', (t) =>
  t.field({
    description: 'Revokes the access of a member’s personal token to the team. The token keeps its access to other teams.',
    type: RevokeTokenTeamAccessPayload,
    requires: revokeTeamAccess,
    args: { input: t.arg({ type: RevokeTokenTeamAccessInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const id = parseIdentifier(input.tokenId, ['MemberToken'])
      if (!isIdentifier(id)) throw notFound()
      return change(context, info, async (transaction) => {
        // The UPDATE waits for those of other teams, so that no revocation is lost or added twice.
        const [[token], [updated]] = await Promise.all([
          findTokensWithAccess(transaction, [id], context.now(), [team.id]),
          takeTeamFromToken(transaction, id, team.id),
        ])
        if (!token) throw notFound()
        if (!updated) throw notFound('the team access was revoked, or the token deleted, at the same time')
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

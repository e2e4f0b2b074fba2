import { statement } from '../../prisma/statement/statement.ts'
import { change } from '../core/audit.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import type { Principal } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { grantParts, GrantType, grantsWithAccess } from './grant.ts'
import type { GrantWithParts } from './grant.ts'
import { requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { revokeTeamAccess, endOwnGrants } from '../core/requires.ts'
import { isIdentifier } from '../core/validation.ts'
import { identifierOf } from '../core/global-id.ts'

export const GrantPayload = payloadType<{ grant: GrantWithParts }>('GrantPayload', {
  description: 'The grant after the change.',
  fields: (t) => ({ grant: t.expose('grant', { type: GrantType, description: 'The grant.' }) }),
})

const RevokeGrantInput = builder.inputType('RevokeGrantInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The grant’s identifier.' }) }),
})
const RevokeGrantTeamAccessInput = builder.inputType('RevokeGrantTeamAccessInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    grantId: t.id({ required: true, description: 'The grant’s identifier.' }),
  }),
})

/** The user and the client of a grant, for the audit entry. */
export const grantSubjects = ({ userId, client }: { userId: string; client: { clientId: string } }) => ({
  userId,
  clientId: client.clientId,
})

builder.mutationFields((t) => ({
  revokeGrant: t.field({
    description: 'Revokes a grant. Its tokens are refused from the next request on. A revocation cannot be undone.',
    type: GrantPayload,
    requires: endOwnGrants,
    args: { input: t.arg({ type: RevokeGrantInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const id = identifierOf(input.id, ['Grant'])
      if (!isIdentifier(id)) throw notFound()
      const where = { id, ...ownGrants(requirePrincipal(context)) }
      const found = await context.database.prisma.oAuthGrant.findFirst({ where, include: grantParts })
      if (!found) throw notFound()
      return change(context, info, async (transaction) => {
        const revoked = await revoke(transaction, id, context.now())
        const grant = { ...found, revokedAt: revoked[0] ? new Date(revoked[0].revokedAt) : found.revokedAt }
        const { teamId, revokedAt } = grant
        const after = { ...grantSubjects(grant), revokedAt: revokedAt?.toISOString() ?? null }
        const subjectName = grant.client.name
        return { result: { grant }, ...(teamId && { teamId }), subject: id, subjectName, after, isUnchanged: revoked.length === 0 }
      })
    },
  }),
  revokeGrantTeamAccess: t.field({
    description: 'Revokes the access of one grant to the team. The grant stays valid for everything else.',
    type: GrantPayload,
    requires: revokeTeamAccess,
    args: { input: t.arg({ type: RevokeGrantTeamAccessInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const id = identifierOf(input.grantId, ['Grant'])
      if (!isIdentifier(id)) throw notFound()
      const where = { id, ...grantsWithAccess(team.id, context.now()) }
      const grant = await context.database.prisma.oAuthGrant.findFirst({ where, include: grantParts })
      if (!grant) throw notFound()
      return change(context, info, async (transaction) => {
        if ((await endTeamAccess(transaction, id, team.id)).length === 0)
          throw notFound('the team access was revoked, or the grant deleted, at the same time')
        return {
          result: { grant },
          teamId: team.id,
          subject: id,
          subjectName: grant.client.name,
          after: { ...grantSubjects(grant), cut: team.slug },
        }
      })
    },
  }),
}))

const revoke = statement<{ revokedAt: string }, [id: string, at: Date]>(
  'revoke_grant',
  'UPDATE oauth_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING revoked_at AS "revokedAt"',
)

/** Returns a row unless the access has ended: of several teams revoked at the same time none is lost, and none is added twice. */
const endTeamAccess = statement<object, [id: string, teamId: string]>(
  'end_team_access_of_grant',
  `UPDATE oauth_grants SET revoked_team_ids = revoked_team_ids || $2::uuid
   WHERE id = $1 AND $2::uuid <> ALL (revoked_team_ids) RETURNING id`,
)

/** Limits grants to those that the principal may change: users their own, the operator all. */
export function ownGrants(principal: Principal): { userId?: string } {
  if (principal.kind === 'operator') return {}
  if (principal.kind !== 'user') throw notFound()
  return { userId: principal.user.id }
}

import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Principal } from './context.ts'
import { notFound } from './errors.ts'
import { GrantType, grantParts, touching } from './grant.ts'
import { authenticated, reachTeam } from './reach.ts'
import { cutFromTeam, endOwnGrants } from './requires.ts'
import { isIdentifier } from './validation.ts'

type GrantShape = typeof GrantType.$inferType

export const GrantPayload = builder.objectRef<{ grant: GrantShape }>('GrantPayload').implement({
  description: 'A grant after the change.',
  fields: (t) => ({ grant: t.expose('grant', { type: GrantType, description: 'The grant.' }) }),
})

const RevokeGrantInput = builder.inputType('RevokeGrantInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The grant’s identifier.' }) }),
})
const CutTeamFromGrantInput = builder.inputType('CutTeamFromGrantInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    grantId: t.id({ required: true, description: 'The grant’s identifier.' }),
  }),
})

/** Whom a grant concerns, for the audit entry. */
export const subjects = ({ user, client }: GrantShape) => ({ userId: user.id, clientId: client.clientId })

builder.mutationFields((t) => ({
  revokeGrant: t.field({
    description:
      'Revokes what the person allowed a client: its tokens open nothing from the next request on. Once revoked, always revoked.',
    type: GrantPayload,
    requires: endOwnGrants,
    args: { input: t.arg({ type: RevokeGrantInput, required: true }) },
    resolve: async (_, { input: { id } }, context, info) => {
      if (!isIdentifier(id)) throw notFound()
      const where = { id, ...ownGrants(authenticated(context)) }
      return change(context, info, async (transaction) => {
        await transaction.oAuthGrant.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: context.now() } })
        const grant = await transaction.oAuthGrant.findFirst({ where, include: grantParts })
        if (!grant) throw notFound()
        const { teamId, revokedAt } = grant
        const after = { ...subjects(grant), revokedAt: revokedAt?.toISOString() ?? null }
        return { result: { grant }, ...(teamId && { teamId }), subject: id, subjectName: grant.client.name, after }
      })
    },
  }),
  cutTeamFromGrant: t.field({
    description: 'Ends a client’s access to the team through one person’s grant. What the person allows it otherwise stays.',
    type: GrantPayload,
    requires: cutFromTeam,
    args: { input: t.arg({ type: CutTeamFromGrantInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await reachTeam(context, input.team)
      const id = input.grantId
      if (!isIdentifier(id)) throw notFound()
      return change(context, info, async (transaction) => {
        const grant = await transaction.oAuthGrant.findFirst({ where: { id, ...touching(team.id, context.now()) }, include: grantParts })
        if (!grant) throw notFound()
        // Appended by the database itself, and only where it is not: teams that are cut at the same time are cut all, each once.
        const { count } = await transaction.oAuthGrant.updateMany({
          where: { id, NOT: { cutTeamIds: { has: team.id } } },
          data: { cutTeamIds: { push: team.id } },
        })
        if (count === 0) throw notFound('cut or deleted meanwhile')
        return {
          result: { grant },
          teamId: team.id,
          subject: id,
          subjectName: grant.client.name,
          after: { ...subjects(grant), cut: team.slug },
        }
      })
    },
  }),
}))

/** Whose grants a principal may revoke or narrow: a person their own, the operator all. */
export function ownGrants(principal: Principal): { userId?: string } {
  if (principal.kind === 'operator') return {}
  if (principal.kind !== 'user') throw notFound()
  return { userId: principal.user.id }
}

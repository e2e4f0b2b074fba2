import { updateRows } from '../../../prisma/statement/write-row.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import type { Principal } from '../../core/principals.ts'
import { notFound } from '../../core/errors.ts'
import { findGrant, findLiveGrants } from './find-grants.ts'
import { GrantType } from './grant.ts'
import type { GrantWithParts } from './grant.ts'
import { requirePrincipal, requireTeamAccess } from '../../core/team-access/team-access.ts'
import { revokeTeamAccess, endOwnGrants } from '../../core/requires.ts'
import { takeTeamFrom } from '../../core/team-access/reach.ts'
import { isIdentifier } from '../../core/validation.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import { reasonField } from '../../core/staff/staff-acts.ts'

export const GrantPayload = payloadType<{ grant: GrantWithParts }>('GrantPayload', {
  description: 'The grant after the change.',
  fields: (t) => ({ grant: t.expose('grant', { type: GrantType, description: 'The grant.' }) }),
})

const RevokeGrantInput = builder.inputType('RevokeGrantInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The grant’s identifier.' }), reason: t.string(reasonField) }),
})
const RevokeGrantTeamAccessInput = builder.inputType('RevokeGrantTeamAccessInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    grantId: t.id({ required: true, description: 'The grant’s identifier.' }),
  }),
})

/** Returns the user and the client of a grant, for the audit entry. */
export const grantSubjects = ({ userId, client }: { userId: string; client: { clientId: string } }) => ({
  userId,
  clientId: client.clientId,
})

const takeTeamFromGrant = takeTeamFrom('oauth_grants')

builder.mutationFields((t) => ({
  revokeGrant: t.field({
    description: 'Revokes a grant. Its tokens are refused from the next request on. A revocation cannot be undone.',
    type: GrantPayload,
    requires: { ...endOwnGrants, staffRole: 'admin' },
    args: { input: t.arg({ type: RevokeGrantInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const id = parseIdentifier(input.id, ['Grant'])
      if (!isIdentifier(id)) throw notFound()
      const userId = ownerOfGrants(requirePrincipal(context))
      return change(context, info, async (transaction) => {
        const [count, grant] = await Promise.all([
          updateRows(
            transaction,
            'oauth_grants',
            { id, ...(userId !== null && { userId }), revokedAt: null },
            { revokedAt: context.now() },
          ),
          findGrant(transaction, id, userId),
        ])
        if (!grant) throw notFound()
        const { teamId, revokedAt } = grant
        const after = { ...grantSubjects(grant), revokedAt: revokedAt?.toISOString() ?? null }
        const subjectName = grant.client.name
        const change = { subject: id, subjectName, after, isUnchanged: count === 0 }
        return { result: { grant }, ...(teamId && { teamId }), accountId: grant.userId, ...change }
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
      const id = parseIdentifier(input.grantId, ['Grant'])
      if (!isIdentifier(id)) throw notFound()
      return change(context, info, async (transaction) => {
        // The UPDATE waits for those of other teams, so that no revocation is lost or added twice.
        const [[grant], [updated]] = await Promise.all([
          findLiveGrants(transaction, [id], context.now(), { teamIds: [team.id] }),
          takeTeamFromGrant(transaction, id, team.id),
        ])
        if (!grant) throw notFound()
        if (!updated) throw notFound('the team access was revoked, or the grant deleted, at the same time')
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

/** Returns the user whose grants the principal may change, or null for all: users change their own, the operator and staff who act all. */
export function ownerOfGrants(principal: Principal): string | null {
  if (principal.kind === 'operator' || principal.kind === 'staff') return null
  if (principal.kind !== 'user') throw notFound()
  return principal.user.id
}

import type { Prisma } from '../../prisma/generated/client/client.ts'
import { identify } from '../builder/node.ts'
import type { Context } from '../core/context.ts'
import { authorize, isAuthorized, seeOwnGrants, seeTeamAccess } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { isClientIdentifier } from '../oauth/client-rules.ts'
import { GrantClientType, grantParts, GrantType, grantsWithAccess, liveGrants } from '../oauth/grant.ts'
import { loadBatched, loadById } from '../lists/batch.ts'
import { MemberTokenType, tokensWithAccess } from '../tokens/member-tokens/member-token.ts'
import { memberTokenParts } from '../tokens/member-tokens/member-token-list.ts'
import { PersonalTokenType } from '../tokens/token.ts'
import { findTeamIdsOfCaller } from '../teams/teams-of-caller.ts'
import { throughField } from './through-field.ts'

// A token or a grant of a member can access several teams and is the same object in each: its global id has no team.

identify(PersonalTokenType, {
  key: ({ id }) => [id],
  load: (context, [id = ''], info) =>
    throughField({ parent: 'Viewer', field: 'token', type: 'PersonalToken' }, requirePrincipal(context), { id }, context, info),
})

identify(MemberTokenType, {
  key: ({ id }) => [id],
  load: (context, [id = '']) =>
    loadById(context, 'node MemberToken', id, async (ids) => {
      const OR = (await visibleTeamIds(context)).map((teamId) => tokensWithAccess(teamId, context.now()))
      const where = { id: { in: ids.filter(isIdentifier) }, OR }
      return context.database.prisma.accessToken.findMany({ where, include: memberTokenParts })
    }),
})

identify(GrantType, {
  key: ({ id }) => [id],
  load: (context, [id = '']) =>
    loadById(context, 'node Grant', id, async (ids) => {
      const where = { AND: [await visibleGrants(context), { id: { in: ids.filter(isIdentifier) } }] }
      return context.database.prisma.oAuthGrant.findMany({ where, include: grantParts })
    }),
})

identify(GrantClientType, {
  key: ({ clientId }) => [clientId],
  async load(context, [clientId = '']) {
    const load = async (clientIds: string[]) => {
      const where = { clientId: { in: clientIds.filter(isClientIdentifier) }, grants: { some: await visibleGrants(context) } }
      const clients = await context.database.prisma.oAuthClient.findMany({ where })
      return new Map(clients.map((client) => [client.clientId, client]))
    }
    return (await loadBatched(context, 'node GrantClient', clientId, load)) ?? null
  },
})

/** The grants that the caller sees at `viewer.grants`, and at `grants` of the teams. Throws if they may see neither. */
async function visibleGrants(context: Context): Promise<Prisma.OAuthGrantWhereInput> {
  const now = context.now()
  const principal = requirePrincipal(context)
  const seesOwn = principal.kind === 'user' && isAuthorized(context, seeOwnGrants, null)
  const teamIds = await visibleTeamIds(context)
  if (!seesOwn && teamIds.length === 0) authorize(context, seeOwnGrants, null)
  return {
    OR: [
      ...(seesOwn ? [{ ...liveGrants(now), userId: principal.user.id }] : []),
      ...teamIds.map((teamId) => grantsWithAccess(teamId, now)),
    ],
  }
}

/** The keys of the teams in which the caller may see who has access. None for an operator: commands do not use `node`. */
const visibleTeamIds = async (context: Context) => (await findTeamIdsOfCaller(context, seeTeamAccess)) ?? []

import type { Prisma } from '../../prisma/generated/client/client.ts'
import { identify } from '../builder/node.ts'
import type { Context } from '../core/context.ts'
import { authorize, isAuthorized, seeOwnGrants, seeTeamAccess } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { isClientIdentifier } from '../oauth/client-rules.ts'
import { GrantClientType, grantParts, GrantType, grantsWithAccess, liveGrants } from '../oauth/grant.ts'
import { MemberTokenType, tokensWithAccess } from '../tokens/member-tokens/member-token.ts'
import { memberTokenParts } from '../tokens/member-tokens/member-token-list.ts'
import { PersonalTokenType } from '../tokens/token.ts'
import { teamsWith } from './teams-with.ts'
import { throughField } from './through-field.ts'

// A token or a grant of a member can access several teams and is the same object in each: its global id has no team.

identify(PersonalTokenType, {
  key: ({ id }) => [id],
  load: (context, [id = ''], info) =>
    throughField({ parent: 'Viewer', field: 'token', type: 'PersonalToken' }, requirePrincipal(context), { id }, context, info),
})

identify(MemberTokenType, {
  key: ({ id }) => [id],
  async load(context, [id = '']) {
    const teams = await teamsWith(context, seeTeamAccess)
    const OR = teams.map(({ team }) => tokensWithAccess(team.id, context.now()))
    return isIdentifier(id) ? context.database.prisma.accessToken.findFirst({ where: { id, OR }, include: memberTokenParts }) : null
  },
})

identify(GrantType, {
  key: ({ id }) => [id],
  async load(context, [id = '']) {
    const where = await visibleGrants(context)
    return isIdentifier(id) ? context.database.prisma.oAuthGrant.findFirst({ where: { AND: [where, { id }] }, include: grantParts }) : null
  },
})

identify(GrantClientType, {
  key: ({ clientId }) => [clientId],
  async load(context, [clientId = '']) {
    const grants = { some: await visibleGrants(context) }
    return isClientIdentifier(clientId) ? context.database.prisma.oAuthClient.findFirst({ where: { clientId, grants } }) : null
  },
})

/** The grants that the caller sees at `viewer.grants`, and at `grants` of the teams. Throws if they may see neither. */
async function visibleGrants(context: Context): Promise<Prisma.OAuthGrantWhereInput> {
  const now = context.now()
  const principal = requirePrincipal(context)
  const seesOwn = principal.kind === 'user' && isAuthorized(context, seeOwnGrants, null)
  const teams = await teamsWith(context, seeTeamAccess)
  if (!seesOwn && teams.length === 0) authorize(context, seeOwnGrants, null)
  return {
    OR: [
      ...(seesOwn ? [{ ...liveGrants(now), userId: principal.user.id }] : []),
      ...teams.map(({ team }) => grantsWithAccess(team.id, now)),
    ],
  }
}

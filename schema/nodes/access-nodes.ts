import { addGlobalId } from '../builder/node.ts'
import type { Context } from '../core/context.ts'
import { authorize, isAuthorized, seeOwnGrants, seeTeamAccess } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { isClientIdentifier } from '../oauth/clients/client-rules.ts'
import { findGrantedClients, findLiveGrants } from '../oauth/grants/find-grants.ts'
import type { GrantOwners } from '../oauth/grants/find-grants.ts'
import { GrantClientType, GrantType } from '../oauth/grants/grant.ts'
import { loadBatched, loadById } from '../lists/batch.ts'
import { findTokensWithAccess } from '../tokens/member-tokens/member-token-list.ts'
import { MemberTokenType } from '../tokens/member-tokens/member-token.ts'
import { PersonalTokenType } from '../tokens/token.ts'
import { findTeamIdsOfCaller } from '../teams/teams-of-caller.ts'
import { throughField } from './through-field.ts'

// A token or a grant of a member can access several teams and is the same object in each: its global id has no team.

addGlobalId(PersonalTokenType, {
  key: ({ id }) => [id],
  load: (context, [id = ''], info) =>
    throughField({ parent: 'Viewer', field: 'token', type: 'PersonalToken' }, requirePrincipal(context), { id }, context, info),
})

addGlobalId(MemberTokenType, {
  key: ({ id }) => [id],
  load: (context, [id = '']) =>
    loadById(context, 'node MemberToken', id, async (ids) => {
      const { pool } = context.database
      return findTokensWithAccess(pool, ids.filter(isIdentifier), context.now(), await visibleTeamIds(context))
    }),
})

addGlobalId(GrantType, {
  key: ({ id }) => [id],
  load: (context, [id = '']) =>
    loadById(context, 'node Grant', id, async (ids) => {
      const owners = await visibleOwners(context)
      return findLiveGrants(context.database.pool, ids.filter(isIdentifier), context.now(), owners)
    }),
})

addGlobalId(GrantClientType, {
  key: ({ clientId }) => [clientId],
  async load(context, [clientId = '']) {
    const load = async (clientIds: string[]) => {
      const requestedIds = clientIds.filter(isClientIdentifier)
      const clients = await findGrantedClients(context.database.pool, requestedIds, context.now(), await visibleOwners(context))
      return new Map(clients.map((client) => [client.clientId, client]))
    }
    return (await loadBatched(context, 'node GrantClient', clientId, load)) ?? null
  },
})

/** Returns the owners of the grants that the caller sees at `viewer.grants` and in teams. Throws if they may see neither. */
async function visibleOwners(context: Context): Promise<GrantOwners> {
  const principal = requirePrincipal(context)
  const seesOwn = principal.kind === 'user' && isAuthorized(context, seeOwnGrants, null)
  const teamIds = await visibleTeamIds(context)
  if (!seesOwn && teamIds.length === 0) authorize(context, seeOwnGrants, null)
  return { userId: seesOwn ? principal.user.id : null, teamIds }
}

/** Returns the keys of the teams in which the caller may see who has access. None for an operator: commands do not use `node`. */
const visibleTeamIds = async (context: Context) => (await findTeamIdsOfCaller(context, seeTeamAccess)) ?? []

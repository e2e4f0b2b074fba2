import type { InputShapeFromFields } from '@pothos/core'
import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { parseIdentifier } from '../core/global-id.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { seeTeamAccess } from '../core/requires.ts'
import { isIdentifier, parse, text } from '../core/validation.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { TeamType } from '../teams/team.ts'
import { credentialFilterArguments, credentialFilters, personDescription, personFilters } from '../tokens/credential-filters.ts'
import { clientKeys } from './clients/client-keys.ts'
import { findLiveGrants } from './grants/find-grants.ts'
import { GrantType } from './grants/grant.ts'
import { teamGrantList } from './grants/grant-list.ts'
import type { GrantOrder } from './grants/grant-list.ts'

const GrantOrderType = orderByType('GrantOrder', 'grants', {
  created: 'When the grant was created.',
  client: 'The name of the client.',
  person: 'The name of the user.',
  last_used: 'When the grant was last used.',
  expires: 'When the grant expires.',
} satisfies Record<GrantOrder, string>)

const grantArguments = builder.args((t) => ({
  clientId: t.string({ description: 'Only grants to the client with this `client_id`.' }),
  ...credentialFilterArguments('grants'),
  search: t.string({ description: 'Only grants to clients whose name contains this text, in upper or lower case.' }),
  person: t.string({ description: personDescription('grants') }),
  orderBy: t.field({ type: GrantOrderType, description: 'The order; default by creation, latest first.' }),
}))

const parseClientId = (id: string) => parseIdentifier(id, ['OAuthClient', 'GrantClient'])
const clientRules = z.object({ clientId: text.trim().max(255).transform(parseClientId).nullish() })

/** The parts that the lists of grants of a team and of the viewer share. */
export const grants = {
  page: pageType('GrantPage', GrantType),
  connection: connectionType('Grant', GrantType),
  args: grantArguments,
  async query({ clientId, search, person, orderBy, ...args }: InputShapeFromFields<typeof grantArguments>, context: Context) {
    const filters = {
      live: true,
      clients: await clientKeys(context, 'client_id = $1', parse(clientRules, { clientId }).clientId),
      searched: await clientKeys(context, 'name ILIKE $1', searchPattern(search)),
      ...personFilters(person),
      ...credentialFilters(args),
    } as const
    return { filters, orderBy: orderBy ?? ({ field: 'created', direction: 'desc' } as const) }
  },
}

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'grants', {
    ...grants,
    description: 'The live grants that can access the team.',
    requires: seeTeamAccess,
    list: teamGrantList,
  }),
  grant: t.field({
    description: 'One live grant that can access the team.',
    type: GrantType,
    requires: seeTeamAccess,
    args: { id: t.arg.id({ required: true, description: 'The grant’s identifier.' }) },
    resolve: async (team, args, { database: { pool }, now }) => {
      const id = parseIdentifier(args.id, ['Grant'])
      const [grant] = isIdentifier(id) ? await findLiveGrants(pool, [id], now(), { teamIds: [team.id] }) : []
      if (!grant) throw notFound()
      return grant
    },
  }),
}))

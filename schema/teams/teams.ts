import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import type { Types } from '../builder/builder.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import { accessibleTeams, requirePrincipal } from '../core/team-access/team-access.ts'
import { allTeams } from '../core/team-access/queries.ts'
import { parse, text } from '../core/validation.ts'
import { arrayConnection, sortRows } from '../lists/array-connection.ts'
import { connectionArguments, connectionComplexity, connectionType } from '../lists/connection.ts'
import { orderByType } from '../lists/order-by.ts'
import type { OrderBy } from '../lists/order-by.ts'
import { readTeam, TeamType } from './team.ts'

const orders = {
  slug: { description: 'The slug.', getKey: ({ slug }: AccessibleTeam) => slug },
  name: { description: 'The name, in upper or lower case.', getKey: ({ name }: AccessibleTeam) => name.toLowerCase() },
  created: {
    description: 'When the team was created.',
    getKey: ({ createdAt }: AccessibleTeam) => (typeof createdAt === 'string' ? createdAt : createdAt.toISOString()),
  },
}
export type TeamOrder = keyof typeof orders
const ofOrders = <Value>(getValue: (order: (typeof orders)[TeamOrder]) => Value): Record<TeamOrder, Value> => ({
  slug: getValue(orders.slug),
  name: getValue(orders.name),
  created: getValue(orders.created),
})

export const TeamOrderType = orderByType(
  'TeamOrder',
  'teams',
  ofOrders(({ description }) => description),
)
const keys = ofOrders(({ getKey }) => getKey)

const teamArguments = builder.args((t) => ({
  search: t.string({ description: 'Only teams whose name or slug contains this text, in upper or lower case.' }),
  orderBy: t.field({ type: TeamOrderType, description: 'The order; default by slug.' }),
}))
interface TeamArguments {
  search?: string | null
  orderBy?: OrderBy<TeamOrder> | null
}
const rules = z.object({ search: text.trim().max(100).nullish() })

/** Returns the teams that the caller can access, by slug. Authentication has usually loaded them. An operator can access every team. */
async function loadTeams(context: Context): Promise<readonly AccessibleTeam[]> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator') return allTeams(context.database.pool)
  return (await accessibleTeams(context, principal)).map(({ team }) => team)
}

async function findTeams(context: Context, { search, orderBy }: TeamArguments) {
  const searched = parse(rules, { search }).search?.toLowerCase() ?? ''
  const sorted = orderBy ?? { field: 'slug', direction: 'asc' }
  const matching = (await loadTeams(context)).filter(({ name, slug }) => `${name}\n${slug}`.toLowerCase().includes(searched))
  return { sorted, searched, rows: sortRows<AccessibleTeam, TeamOrder>(matching, sorted, keys, ({ id }) => id) }
}

export const TeamPageType = pageType('TeamPage', TeamType)
export const TeamConnectionType = connectionType('Team', TeamType)

const accessibleTeamsField = { description: 'The teams that the credential can access.', requires: readTeam }
type Fields<Parent extends object> = Pick<PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>, 'field'>

/** The teams as numbered pages. */
export const teamPages = <Parent extends object>(t: Fields<Parent>) =>
  t.field({
    ...accessibleTeamsField,
    type: TeamPageType,
    complexity: listComplexity,
    args: { ...teamArguments, ...pageArguments },
    resolve: async (_, args, context) => {
      const { page, perPage, offset } = slice(args)
      const { rows } = await findTeams(context, args)
      return { page, perPage, total: rows.length, nodes: rows.slice(offset, offset + perPage).map(({ node }) => node) }
    },
  })

/** The teams as a connection. */
export const teamConnection = <Parent extends object>(t: Fields<Parent>) =>
  t.field({
    ...accessibleTeamsField,
    type: TeamConnectionType,
    complexity: connectionComplexity,
    args: { ...teamArguments, ...connectionArguments },
    resolve: async (_, args, context) => {
      const { rows, sorted, searched } = await findTeams(context, args)
      return arrayConnection(context, `teams ${JSON.stringify(searched)}`, sorted, rows, args)
    },
  })

builder.queryFields((t) => ({
  teams: t.field({
    ...accessibleTeamsField,
    type: [TeamType],
    // The list has no pages, so its cost is the number of teams, and at least 10. src/graphql/limits.ts loads them before.
    complexity: (_, { principal }) => ({
      field: 1,
      multiplier: Math.max(10, (principal && 'teams' in principal ? principal.teams.count : null) ?? 100),
    }),
    args: teamArguments,
    resolve: async (_, args, context) => {
      if (!args.orderBy && !args.search) return [...(await loadTeams(context))]
      return (await findTeams(context, args)).rows.map(({ node }) => node)
    },
  }),
  teamsConnection: teamConnection(t),
}))

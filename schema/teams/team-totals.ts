import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core'
import { builder } from '../builder/builder.ts'
import type { Types } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import type { Requirement } from '../core/requires.ts'
import { loadBatched } from '../lists/batch.ts'
import { selects } from '../lists/selection.ts'
import { TeamType } from './team.ts'
import { findTeamsOfCaller, teamsArgument } from './teams-of-caller.ts'

/** A row of totals: the requested groups and the numbers. `team` is set if they are grouped by team. */
interface TotalRow {
  team?: string
}
export type TotalOf<Row> = Omit<Row, 'team'> & { team: AccessibleTeam | null }

/** The arguments of a statement that reads totals. */
export interface TotalsQuery {
  teamIds: readonly string[]
  /** The columns by which the totals are grouped, which may include `team`. */
  groups: ReadonlySet<string>
  /** True if one of the `costlyFields` is selected. */
  withCostlyFields: boolean
}

interface TotalsDeclaration<Group extends string, Row extends TotalRow, Args extends InputFieldMap> {
  /** Name of the field of `Team` and of `Query`. */
  name: string
  description: string
  type: ObjectRef<Types, TotalOf<Row>>
  /** Description of each group, and its usual number of values in a team, for the cost. */
  groups: Readonly<Record<Group, { description: string; values: number }>>
  /** The groups if the caller selects none. */
  defaultGroups: readonly NoInfer<Group>[]
  args: Args
  requires: Requirement
  /** Cost of reading the rows of one team, in an external document. */
  cost: number
  /** Fields that are read only if one of them is selected. */
  costlyFields?: readonly string[]
  /** Reads the totals of all these teams with one statement. */
  read(context: Context, query: TotalsQuery, args: InputShapeFromFields<Args>): Promise<Row[]>
}

/** The fields of `Query` with totals over teams. Their cost depends on the number of the caller's teams. */
export const totalsOverTeams = new Set<string>()

/**
 * Declares totals that the database computes: a field of `Team`, and one of `Query` over several teams. Both have the same arguments and
 * the same requirement in each team. Both use one statement for any number of teams: those of `Team` in a list of teams share it.
 */
export function declareTotals<Group extends string, Row extends TotalRow, Args extends InputFieldMap>(
  totals: TotalsDeclaration<Group, Row, Args>,
): void {
  const { name, description, type, requires, cost, costlyFields = [] } = totals
  totalsOverTeams.add(name)
  const typeName = type.name
  const descriptions = Object.entries<{ description: string }>(totals.groups).map(([group, each]) => [group, each.description])
  const GroupType = enumType<Group | 'team'>(
    `${typeName}Group`,
    `Properties by which \`${typeName}\` can be grouped.`,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the keys
    { team: 'The team.', ...Object.fromEntries(descriptions) } as Record<Group | 'team', string>,
  )
  const groupBy = builder.args((t) => ({
    groupBy: t.field({
      type: [GroupType],
      description: `Properties to group the totals by; default ${totals.defaultGroups.map((group) => `\`${group.toUpperCase()}\``).join(', ') || 'nothing'}.`,
    }),
  }))
  const listGroups = (args: { groupBy?: readonly (Group | 'team')[] | null | undefined }) =>
    new Set<string>(args.groupBy ?? totals.defaultGroups)
  const rowsIn = (groups: ReadonlySet<string>, teams: number) =>
    Object.entries<{ values: number }>(totals.groups).reduce(
      (product, [group, { values }]) => product * (groups.has(group) ? values : 1),
      groups.has('team') ? teams : 1,
    )
  const listValues = Object.entries<{ values: number }>(totals.groups).map(
    ([group, { values }]) => `${values} for \`${group.toUpperCase()}\``,
  )
  const rowsCost = `Each selected field costs 1 for each row. The number of rows counts as these numbers of the groups multiplied: ${listValues.join(', ')}.`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Pothos cannot compute the shape of generic arguments
  const listArguments = (args: object) => args as InputShapeFromFields<Args> & { groupBy?: readonly (Group | 'team')[] | null }
  const withTeam = ({ team, ...row }: Row, teams: ReadonlyMap<string, AccessibleTeam>): TotalOf<Row> => ({
    ...row,
    team: team === undefined ? null : (teams.get(team) ?? null),
  })

  builder.objectField(type, 'team', (t) =>
    t.field({
      type: TeamType,
      nullable: true,
      description: 'The team; null for totals of several teams together.',
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      resolve: (row) => (row as TotalOf<TotalRow>).team,
    }),
  )
  builder.objectField(TeamType, name, (t) =>
    t.field({
      description: `${description} Empty groups are omitted. The group \`TEAM\` has no effect here.\n\nCosts ${cost}. ${rowsCost}`,
      type: [type],
      requires,
      args: { ...totals.args, ...groupBy },
      complexity: (args) => ({ field: cost, multiplier: rowsIn(listGroups(listArguments(args)), 1) }),
      async resolve(team, fieldArgs, context, info) {
        const args = listArguments(fieldArgs)
        const groups = listGroups(args)
        const withCostlyFields = selects(info, ...costlyFields)
        const load = async (teamIds: string[]) => {
          const rows = await totals.read(context, { teamIds, groups: new Set([...groups, 'team']), withCostlyFields }, args)
          return Map.groupBy(rows, (row) => row.team ?? '')
        }
        const key = JSON.stringify([name, [...groups].toSorted(), args, withCostlyFields])
        const rows = (await loadBatched(context, key, team.id, load)) ?? []
        const named = new Map([[team.id, team]])
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
        return rows.map((row) => withTeam(row, named)) as never
      },
    }),
  )
  builder.queryField(name, (t) =>
    t.field({
      description: `${description} Covers all teams of the caller, or the given teams. Empty groups are omitted.\n\nCosts ${cost}, and ${Math.ceil(cost / 10)} for each team. ${rowsCost}`,
      type: [type],
      requires,
      args: { ...totals.args, ...groupBy, ...teamsArgument },
      complexity: (fieldArgs, context) => {
        const args: { teams?: readonly string[] | null } & object = fieldArgs
        const teams = Math.max(args.teams?.length ?? getTeamCount(context), 1)
        return { field: cost + Math.ceil(cost / 10) * teams, multiplier: rowsIn(listGroups(listArguments(args)), teams) }
      },
      async resolve(_, fieldArgs, context, info) {
        const args: { teams?: readonly string[] | null } & object = fieldArgs
        const teams = new Map((await findTeamsOfCaller(context, requires, args.teams)).map((team) => [team.id, team]))
        if (teams.size === 0) return []
        const query = {
          teamIds: [...teams.keys()],
          groups: listGroups(listArguments(args)),
          withCostlyFields: selects(info, ...costlyFields),
        }
        const rows = await totals.read(context, query, listArguments(args))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
        return rows.map((row) => withTeam(row, teams)).toSorted(byTeam) as never
      },
    }),
  )
}

const byTeam = (one: { team: AccessibleTeam | null }, other: { team: AccessibleTeam | null }) =>
  (one.team?.slug ?? '') < (other.team?.slug ?? '') ? -1 : one.team?.slug === other.team?.slug ? 0 : 1

/** Returns the number of the caller's teams, or 100 if they are not loaded: src/graphql/limits.ts loads the teams before. */
const getTeamCount = ({ principal }: Context) => (principal && 'teams' in principal ? principal.teams.count : null) ?? 100

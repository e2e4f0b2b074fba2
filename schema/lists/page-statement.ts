import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import type { Rows, Slice, SortDirection } from '../builder/pagination.ts'
import { maxPerPage } from '../builder/pagination.ts'

/** A list of a team whose rows `team_counts` counts. */
interface TeamList {
  /** Name of the prepared statement. */
  name: string
  /** The table; in `team_counts`, the list has the same name. */
  table: 'members' | 'invoices'
  /** Columns that make the order unique; the index has them after the team. */
  order: readonly string[]
  direction: SortDirection
  /** Column whose value the caller chooses; it is the key of the counts. */
  filter?: { column: string; type: string }
  /** The selected columns, of row `r` of the table and of `joins`. */
  columns: string
  /** The tables that are joined with the rows of the page. */
  joins?: string
}

/**
 * Prepares the statement that reads a page of a team's list and its total. Its time depends neither on the length of the list nor, near
 * both ends, on the page. The total is stored. The first row of the page is found in the index from the nearer end, and the page is read
 * from there (docs/decisions/pagination.md#pages-of-long-lists). For several teams, a second statement does the same for each of them.
 */
export function pageStatement<Row extends { id: string }>(list: TeamList) {
  type Values = [perPage: number, offset: number, ...filter: string[]]
  type NumberedRow = Row & { inAll: number }
  const keys = list.order.map((column, index) => `r.${column} AS "key${index}"`).join(', ')
  const sortedKeys = list.order.map((_, index) => `"key${index}" ${list.direction}`).join(', ')
  const ofTeam = statement<NumberedRow, [teamId: string, ...Values]>(list.name, pageText(list, '$1'))
  const ofTeams = statement<NumberedRow & { teamId: string }, [teamIds: readonly string[], ...Values]>(
    `${list.name}_of_teams`,
    `SELECT team.id AS "teamId", page.* FROM unnest($1::uuid[]) team(id)
     CROSS JOIN LATERAL (${pageText({ ...list, columns: `${list.columns}, ${keys}` }, 'team.id')}) page ORDER BY ${sortedKeys}`,
  )
  const getPage = (rows: NumberedRow[]): Rows<Row> => ({
    nodes: rows[0]?.id == null ? [] : rows,
    total: rows[0]?.inAll ?? 0,
  })
  return async (
    pool: StatementPool,
    teamIds: readonly string[],
    { perPage, offset }: Pick<Slice, 'perPage' | 'offset'>,
    ...value: string[]
  ): Promise<ReadonlyMap<string, Rows<Row>>> => {
    const [teamId] = teamIds
    if (teamIds.length === 1 && teamId !== undefined)
      return new Map([[teamId, getPage(await ofTeam(pool, teamId, perPage, offset, ...value))]])
    const rows = Map.groupBy(await ofTeams(pool, teamIds, perPage, offset, ...value), (row) => row.teamId)
    return new Map(Array.from(rows, ([id, numbered]) => [id, getPage(numbered)]))
  }
}

/** Builds the text for a page of a team, which is an SQL expression. `$2` is the number of rows, `$3` that before them, `$4` the filter. */
function pageText({ table, order, direction, filter, columns, joins = '' }: TeamList, team: string): string {
  const reverse = direction === 'asc' ? 'desc' : 'asc'
  const keys = order.join(', ')
  const sorted = (by: SortDirection, prefix = '') => order.map((column) => `${prefix}${column} ${by}`).join(', ')
  const rows = `FROM ${table} WHERE team_id = ${team}${filter ? ` AND ${filter.column} = $4::${filter.type}` : ''}`
  const fromFirst = `(${keys}) ${direction === 'asc' ? '>=' : '<='} (${order.map((column) => `first.${column}`).join(', ')})`
  // For an empty page, the statement selects one row with the total, in which all other columns are NULL. The constant limits
  // let PostgreSQL expect few rows, whatever the parameters: otherwise it would join a whole table with a page. A LIMIT of 0
  // reads nothing.
  return `SELECT t.total AS "inAll", ${columns}
     FROM (
       SELECT coalesce(sum(count), 0)::bigint AS total, $3::bigint AS before FROM team_counts
       WHERE team_id = ${team} AND list = '${table}'${filter ? ` AND key = $4::${filter.type}::text` : ''}
     ) t
     LEFT JOIN LATERAL (
       SELECT page.* FROM (
         (SELECT ${keys} ${rows} ORDER BY ${sorted(direction)}
          LIMIT CASE WHEN t.before <= t.total / 2 THEN 1 ELSE 0 END OFFSET t.before)
         UNION ALL
         (SELECT ${keys} ${rows} ORDER BY ${sorted(reverse)}
          LIMIT CASE WHEN t.before > t.total / 2 AND t.before < t.total THEN 1 ELSE 0 END OFFSET greatest(t.total - 1 - t.before, 0))
         LIMIT 1
       ) first CROSS JOIN LATERAL (
         SELECT * FROM (SELECT * ${rows} AND ${fromFirst} ORDER BY ${sorted(direction)} LIMIT ${maxPerPage}) longest
         ORDER BY ${sorted(direction)} LIMIT $2
       ) page
     ) r ON true
     ${joins}
     ORDER BY ${sorted(direction, 'r.')}`
}

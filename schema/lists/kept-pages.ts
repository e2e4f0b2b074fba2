import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { pageStatement } from './page-statement.ts'
import type { Slice } from '../builder/pagination.ts'
import type { SortDirection } from '../builder/sort-direction.ts'
import type { ListDeclaration } from './declaration.ts'
import { activeFilters } from './list-text.ts'

/**
 * Prepares the statements for pages of a list whose number of rows `team_counts` stores. There is one for each direction, of all rows and
 * of those that match the filter by which they are counted.
 */
export function keptPages<Row extends { id: string }, Order extends string, Filters>({
  name,
  columns,
  filters,
  kept,
}: ListDeclaration<Row, unknown, Order, Filters>) {
  const prepared = new Map<string, ReturnType<typeof pageStatement<Row>>>()
  const prepare = (statementName: string, direction: SortDirection, isFiltered: boolean) => {
    if (!kept) throw new Error(`the list ${name} has no kept counts`)
    const { table, key, pages, joins } = kept
    const list = { name: statementName, table, order: pages.columns, direction, columns, ...(joins !== undefined && { joins }) }
    const read = pageStatement<Row>(isFiltered && key ? { ...list, filter: key } : list)
    prepared.set(statementName, read)
    return read
  }
  return (pool: StatementPool, teamIds: readonly string[], slice: Slice, direction: SortDirection, values: Filters) => {
    const [filter] = activeFilters({ filters }, values)
    const isFiltered = filter !== undefined
    const statementName = `${name}_page_${direction}${isFiltered ? `_of_${String(filter)}` : ''}`
    const read = prepared.get(statementName) ?? prepare(statementName, direction, isFiltered)
    return read(pool, teamIds, slice, ...(isFiltered ? [String(values[filter])] : []))
  }
}

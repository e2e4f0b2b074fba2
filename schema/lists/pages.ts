import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Slice, SortDirection } from '../builder/pagination.ts'
import type { ListDeclaration } from './declaration.ts'
import { activeFilters, pageText } from './list-text.ts'
import type { OrderBy } from './order-by.ts'
import { pageStatement } from './page-statement.ts'
import { Parameters } from './read-owners.ts'

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

/**
 * Prepares the statements for pages of a list without filters, such as those of a REST route: one for each order, with and without the
 * total. Statements with filters are not prepared, so that PostgreSQL plans them for the values.
 */
export function wholePages<Row extends object, Order extends string, Filters>(list: ListDeclaration<never, unknown, Order, Filters>) {
  const prepare = (name: string, orderBy: OrderBy<Order>, withTotal: boolean) => {
    const parameters = new Parameters(new Date(0))
    const owner = `${parameters.add('')}::uuid`
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a filter without a value is omitted
    const query = { orderBy, filters: {} as Filters }
    const text = pageText(list, query, { page: 1, perPage: 0, offset: 0 }, withTotal, owner, parameters)
    return statement<Row, [ownerId: string, perPage: number, offset: number]>(name, text)
  }
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  return (orderBy: OrderBy<Order>, withTotal: boolean) => {
    const name = `${list.name}_${orderBy.field}_${orderBy.direction}${withTotal ? '' : '_rows'}`
    const pageStatement = prepared.get(name) ?? prepare(name, orderBy, withTotal)
    prepared.set(name, pageStatement)
    return pageStatement
  }
}

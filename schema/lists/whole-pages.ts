import { statement } from '../../prisma/statement/statement.ts'
import type { ListDeclaration } from './declaration.ts'
import type { OrderBy } from './order-by.ts'
import { pageText } from './list-text.ts'
import { Parameters } from './read-owners.ts'

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
    const known = prepared.get(name) ?? prepare(name, orderBy, withTotal)
    prepared.set(name, known)
    return known
  }
}

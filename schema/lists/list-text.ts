import type { Slice, SortDirection } from '../builder/pagination.ts'
import type { Position } from './cursor.ts'
import type { ListDeclaration, ListQuery, Placeholders, SqlOrder } from './declaration.ts'
import { firstOfParts, sortedBy } from './parts.ts'
import type { Nulls } from './parts.ts'
import type { Parameters } from './read-owners.ts'

// These texts of the statements of a list contain only the filters that are used, so that PostgreSQL can use their indexes.

type Sql<Order extends string, Filters> = Pick<
  ListDeclaration<never, unknown, Order, Filters>,
  'rows' | 'id' | 'idType' | 'columns' | 'orders' | 'filters' | 'kept'
>

/** Returns the names of the filters with a value, in the order of the declaration. */
export const activeFilters = <Filters>({ filters }: Pick<Sql<string, Filters>, 'filters'>, values: Filters) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the declaration
  (Object.keys(filters) as (keyof Filters)[]).filter((name) => values[name] != null)

/** Returns true if `team_counts` has the number of rows that match. */
export const isKept = <Order extends string, Filters>(list: Sql<Order, Filters>, values: Filters): boolean =>
  list.kept !== undefined && activeFilters(list, values).every((name) => name === list.kept?.key?.filter)

const listPlaceholders = (value: unknown, parameters: Parameters): Placeholders => ({
  get value() {
    return parameters.add(value)
  },
  part: (name) => parameters.add(Object(value)[name]),
  get now() {
    return parameters.now
  },
})

/** Builds FROM and WHERE of the rows that match, in each part of the list. */
export function matching<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  values: Filters,
  owner: string,
  parameters: Parameters,
): string[] {
  const conditions = activeFilters(list, values).map((name) => {
    const condition = list.filters[name](listPlaceholders(values[name], parameters))
    // The condition has NOT instead of IS NOT TRUE, for which PostgreSQL uses no index.
    return values[name] === false ? ` AND NOT (${condition})` : ` AND ${condition}`
  })
  return [list.rows(owner, values)].flat().map((rows) => rows + conditions.join(''))
}

/** Builds the text that selects the number of rows that match as `inAll`, in one row. */
export function countText<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  values: Filters,
  owner: string,
  parameters: Parameters,
): string {
  if (!isKept(list, values)) {
    const parts = matching(list, values, owner, parameters)
    const rows = parts.length === 1 ? parts[0] : `FROM (${parts.map((part) => `SELECT 1 ${part}`).join(' UNION ALL ')}) parts`
    return `SELECT count(*) AS "inAll" ${rows}`
  }
  const key = list.kept?.key && values[list.kept.key.filter]
  return `SELECT coalesce(sum(count), 0)::bigint AS "inAll" FROM team_counts
    WHERE team_id = ${owner} AND list = '${list.kept?.table}'${key == null ? '' : ` AND key = ${parameters.add(key)}::text`}`
}

/** Builds the order of selected rows by their columns `key0…` and `keyId`. */
export const sortedByKeys = (order: SqlOrder, direction: SortDirection, nulls: Nulls = 'LAST'): string =>
  sortedBy(
    order,
    order.keys.map((_, index) => `"key${index}"`),
    '"keyId"',
    direction,
    nulls,
  )

/** Builds the text that selects the rows of a page. With a total, each row has `inAll`; an empty page has one row with a null `keyId`. */
export function pageText<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  { orderBy: { field, direction }, filters }: ListQuery<Order, Filters>,
  { perPage, offset }: Slice,
  withTotal: boolean,
  owner: string,
  parameters: Parameters,
): string {
  const order: SqlOrder = list.orders[field]
  const [count, before] = [parameters.add(perPage), parameters.add(offset)]
  const parts = matching(list, filters, owner, parameters)
  const first = (limit: string) => firstOfParts(list, order, parts, { direction, nulls: 'LAST', limit })
  const page =
    parts.length === 1
      ? first(`${count} OFFSET ${before}`)
      : `SELECT * FROM (${first(`${count}::bigint + ${before}::bigint`)}) page ORDER BY ${sortedByKeys(order, direction)} LIMIT ${count} OFFSET ${before}`
  if (!withTotal) return page
  return `SELECT counted."inAll", page.* FROM (${countText(list, filters, owner, parameters)}) counted LEFT JOIN (${page}) page ON true
    ORDER BY ${sortedByKeys(order, direction)}`
}

/** The rows between two positions, at most `limit` of them from the start or, backward, from the end. */
export interface Range {
  after: Position | null
  before: Position | null
  limit: number
  isBackward: boolean
}

/** Returns the place of rows without a value: they come first if the walk starts at the end. */
export const getNullsOrder = ({ isBackward }: Range): Nulls => (isBackward ? 'FIRST' : 'LAST')
export const getWalkDirection = (direction: SortDirection, { isBackward }: Range) => (isBackward ? reverse(direction) : direction)
const reverse = (direction: SortDirection): SortDirection => (direction === 'asc' ? 'desc' : 'asc')

/** Builds the text that selects a range in the order of the walk. Each row has its position in `cursor0…` and `keyId`. */
export function rangeText<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  { orderBy: { field, direction }, filters }: ListQuery<Order, Filters>,
  range: Range,
  owner: string,
  parameters: Parameters,
): string {
  const order: SqlOrder = list.orders[field]
  const walk = getWalkDirection(direction, range)
  const limit = parameters.add(range.limit)
  const nulls = getNullsOrder(range)
  const parts = matching(list, filters, owner, parameters)
  const bounds = [getBound(range.after, direction, false), getBound(range.before, reverse(direction), true)].join('')
  const within = parts.map((part) => part + bounds)
  const first = firstOfParts(list, order, within, { direction: walk, nulls, limit })

  /** Builds the condition for rows beyond a position. Rows with null follow all others. */
  function getBound(position: Position | null, by: SortDirection, isBefore: boolean): string {
    if (!position) return ''
    const [[key]] = order.keys
    const isNull = position.values[0] === null
    const values = [...(isNull ? [] : position.values), position.id].map((value) => parameters.add(value))
    const compared = [...(isNull ? [] : order.keys), [list.id, list.idType ?? 'uuid'] as const]
    const typed = compared.map(([, type], index) => `${values[index]}::${type}`)
    const isBeyond = `(${compared.map(([expression]) => expression).join(', ')}) ${by === 'asc' ? '>' : '<'} (${typed.join(', ')})`
    if (isNull) return isBefore ? ` AND (${key} IS NOT NULL OR ${isBeyond})` : ` AND ${key} IS NULL AND ${isBeyond}`
    return order.isNullable && !isBefore ? ` AND (${key} IS NULL OR ${isBeyond})` : ` AND ${isBeyond}`
  }

  const cursor = order.keys.map((_, index) => `"key${index}"::text AS "cursor${index}"`).join(', ')
  return `SELECT page.*, ${cursor} FROM (${first}) page
    ORDER BY ${sortedByKeys(order, walk, nulls)} LIMIT ${limit}`
}

import type { Slice } from '../builder/pagination.ts'
import type { SortDirection } from '../builder/sort-direction.ts'
import type { Position } from './cursor.ts'
import type { ListDeclaration, ListQuery, Placeholders, SqlOrder } from './declaration.ts'
import type { Parameters } from './read-owners.ts'

// The texts of the statements of a list. A text contains only the filters that are used, so that PostgreSQL can use their indexes.

type Sql<Order extends string, Filters> = Pick<
  ListDeclaration<never, unknown, Order, Filters>,
  'rows' | 'id' | 'idType' | 'columns' | 'orders' | 'filters' | 'kept'
>

/** The filters with a value, in the order of the declaration. */
export const activeFilters = <Filters>({ filters }: Pick<Sql<string, Filters>, 'filters'>, values: Filters) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the declaration
  (Object.keys(filters) as (keyof Filters)[]).filter((name) => values[name] != null)

/** Whether `team_counts` has the number of rows that match. */
export const isKept = <Order extends string, Filters>(list: Sql<Order, Filters>, values: Filters): boolean =>
  list.kept !== undefined && activeFilters(list, values).every((name) => name === list.kept?.key?.filter)

/** FROM and WHERE of the rows that match. */
export function matching<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  values: Filters,
  owner: string,
  parameters: Parameters,
): string {
  const conditions = activeFilters(list, values).map((name) => {
    const placeholders: Placeholders = {
      get value() {
        return parameters.add(values[name])
      },
      get now() {
        return parameters.now
      },
    }
    const condition = list.filters[name](placeholders)
    // IS NOT TRUE, because the condition is null for a column that is null.
    return values[name] === false ? ` AND (${condition}) IS NOT TRUE` : ` AND ${condition}`
  })
  return list.rows(owner) + conditions.join('')
}

/** Selects the number of rows that match as `inAll`, in one row. */
export function countText<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  values: Filters,
  owner: string,
  parameters: Parameters,
): string {
  if (!isKept(list, values)) return `SELECT count(*) AS "inAll" ${matching(list, values, owner, parameters)}`
  const key = list.kept?.key && values[list.kept.key.filter]
  return `SELECT coalesce(sum(count), 0)::bigint AS "inAll" FROM team_counts
    WHERE team_id = ${owner} AND list = '${list.kept?.table}'${key == null ? '' : ` AND key = ${parameters.add(key)}::text`}`
}

/** The order of selected rows by their columns `key0…` and `keyId`. */
export const sortedByKeys = ({ keys }: SqlOrder, direction: SortDirection, nulls: 'FIRST' | 'LAST' = 'LAST') =>
  [...keys.map((_, index) => `"key${index}" ${direction} NULLS ${nulls}`), `"keyId" ${direction}`].join(', ')

type By = SortDirection | 'desc NULLS LAST'
const sortedBy = (order: SqlOrder, id: string, by: By) =>
  expressionsOf(order, id)
    .map((expression) => `${expression} ${by}`)
    .join(', ')

/**
 * Rows whose first key is null are read separately if there can be some, so that both parts can use the index in either direction:
 * PostgreSQL sorts nulls first in one of them. Whether the key is null in each part; null for a key that cannot be.
 */
const partsOf = ({ isNullable }: SqlOrder): (boolean | null)[] => (isNullable ? [false, true] : [null])
const nullCondition = ({ keys: [[key]] }: SqlOrder, isNullPart: boolean | null) =>
  isNullPart === null ? '' : ` AND ${key} IS ${isNullPart ? '' : 'NOT '}NULL`

const expressionsOf = ({ keys }: SqlOrder, id: string) => [...keys.map(([expression]) => expression), id]

const selected = ({ columns, id }: { columns: string; id: string }, order: SqlOrder) =>
  `${columns}, ${order.keys.map(([key], index) => `${key} AS "key${index}"`).join(', ')}, ${id} AS "keyId"`

/** Selects the rows of a page. With a total, each row has `inAll`, and an empty page has one row in which `keyId` is null. */
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
  const rows = matching(list, filters, owner, parameters)
  const some = (isNull: boolean | null, by: By, limit: string) =>
    `SELECT ${selected(list, order)} ${rows}${nullCondition(order, isNull)} ORDER BY ${sortedBy(order, list.id, by)} LIMIT ${limit}`
  // Ascending, or without nulls, the order is that of an index.
  const inParts = order.isNullable && !order.isUnindexed && direction === 'desc'
  const parts = partsOf(order).map((isNull) => `(${some(isNull, direction, `${count}::bigint + ${before}::bigint`)})`)
  const page = inParts
    ? `SELECT * FROM (${parts.join(' UNION ALL ')}) parts ORDER BY ${sortedByKeys(order, direction)} LIMIT ${count} OFFSET ${before}`
    : some(null, order.isNullable && direction === 'desc' ? 'desc NULLS LAST' : direction, `${count} OFFSET ${before}`)
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

export const walkOf = (direction: SortDirection, { isBackward }: Range) => (isBackward ? reverse(direction) : direction)
const reverse = (direction: SortDirection): SortDirection => (direction === 'asc' ? 'desc' : 'asc')

/** Selects the rows of a range in the order of the walk, each with its position in `cursor0…` and `keyId`. */
export function rangeText<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  { orderBy: { field, direction }, filters }: ListQuery<Order, Filters>,
  range: Range,
  owner: string,
  parameters: Parameters,
): string {
  const order: SqlOrder = list.orders[field]
  const walk = walkOf(direction, range)
  const expressions = expressionsOf(order, list.id)
  const sorted = sortedBy(order, list.id, walk)
  const limit = parameters.add(range.limit)
  const rows = matching(list, filters, owner, parameters)

  const texts = partsOf(order).map((isNullPart) => {
    const conditions = [
      range.after && beyond(range.after, isNullPart, direction, false),
      range.before && beyond(range.before, isNullPart, reverse(direction), true),
    ].filter((condition) => typeof condition === 'string')
    const within = conditions.map((each) => ` AND ${each}`).join('') + nullCondition(order, isNullPart)
    return `(SELECT ${selected(list, order)} ${rows}${within} ORDER BY ${sorted} LIMIT ${limit})`
  })

  /** The condition for rows of a part beyond a position. Rows with null follow all others. */
  function beyond({ values, id }: Position, isNullPart: boolean | null, by: SortDirection, isBefore: boolean): string {
    const isNull = values[0] === null
    if (isNullPart !== null && isNullPart !== isNull) return String(isNullPart !== isBefore)
    const from = isNull ? 1 : 0
    const types = [...order.keys.map(([, type]) => type), list.idType ?? 'uuid'].slice(from)
    const bounds = [...values, id].slice(from).map((value, index) => `${parameters.add(value)}::${types[index]}`)
    return `(${expressions.slice(from).join(', ')}) ${by === 'asc' ? '>' : '<'} (${bounds.join(', ')})`
  }

  const cursor = order.keys.map((_, index) => `"key${index}"::text AS "cursor${index}"`).join(', ')
  return `SELECT page.*, ${cursor} FROM (${texts.join(' UNION ALL ')}) page
    ORDER BY ${sortedByKeys(order, walk, range.isBackward ? 'FIRST' : 'LAST')} LIMIT ${limit}`
}

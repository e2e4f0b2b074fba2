import type { Slice } from '../builder/pagination.ts'
import type { SortDirection } from '../builder/sort-direction.ts'
import type { Position } from './cursor.ts'
import type { ListDeclaration, ListQuery, Placeholders, SqlOrder } from './declaration.ts'
import { firstOfParts, selected, splitByNull, textOf } from './parts.ts'
import type { Part, Within } from './parts.ts'
import type { Parameters } from './read-owners.ts'

// The texts of the statements of a list. A text contains only the filters that are used, so that PostgreSQL can use their indexes.

type Sql<Order extends string, Filters> = Pick<
  ListDeclaration<never, unknown, Order, Filters>,
  'rows' | 'id' | 'idType' | 'columns' | 'orders' | 'filters' | 'scanFilters' | 'kept'
>

/** The filters with a value, in the order of the declaration. */
export const activeFilters = <Filters>({ filters }: Pick<Sql<string, Filters>, 'filters'>, values: Filters) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the declaration
  (Object.keys(filters) as (keyof Filters)[]).filter((name) => values[name] != null)

/** Whether `team_counts` has the number of rows that match. */
export const isKept = <Order extends string, Filters>(list: Sql<Order, Filters>, values: Filters): boolean =>
  list.kept !== undefined && activeFilters(list, values).every((name) => name === list.kept?.key?.filter)

const placeholdersOf = (value: unknown, parameters: Parameters): Placeholders => ({
  get value() {
    return parameters.add(value)
  },
  part: (name) => parameters.add(Object(value)[name]),
  get now() {
    return parameters.now
  },
})

/** FROM and WHERE of the rows that match, in each part of the list. */
export function matching<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  values: Filters,
  owner: string,
  parameters: Parameters,
): Part[] {
  const conditions = activeFilters(list, values).map((name) => {
    const condition = list.filters[name](placeholdersOf(values[name], parameters))
    // NOT instead of IS NOT TRUE, for which PostgreSQL finds no index.
    return values[name] === false ? ` AND NOT (${condition})` : ` AND ${condition}`
  })
  return [list.rows(owner, values)].flat().map((rows) => ({ owner, rows, where: conditions.join('') }))
}

/** Selects the number of rows that match as `inAll`, in one row. */
export function countText<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  values: Filters,
  owner: string,
  parameters: Parameters,
): string {
  if (!isKept(list, values)) {
    const parts = matching(list, values, owner, parameters).map((part) => textOf(part))
    const rows = parts.length === 1 ? parts[0] : `FROM (${parts.map((part) => `SELECT 1 ${part}`).join(' UNION ALL ')}) parts`
    return `SELECT count(*) AS "inAll" ${rows}`
  }
  const key = list.kept?.key && values[list.kept.key.filter]
  return `SELECT coalesce(sum(count), 0)::bigint AS "inAll" FROM team_counts
    WHERE team_id = ${owner} AND list = '${list.kept?.table}'${key == null ? '' : ` AND key = ${parameters.add(key)}::text`}`
}

/** The order of selected rows by their columns `key0…` and `keyId`. Without nulls, it is that of each part, which PostgreSQL then merges. */
export function sortedByKeys({ keys, isNullable }: SqlOrder, direction: SortDirection, nulls: 'FIRST' | 'LAST' = 'LAST'): string {
  const by = isNullable ? `${direction} NULLS ${nulls}` : direction
  return [...keys.map((_, index) => `"key${index}" ${by}`), `"keyId" ${direction}`].join(', ')
}

/** The conditions on the first key that follow from the filters where it is not null. */
const rangeOf = <Filters>({ ranges = {} }: SqlOrder, values: Filters, parameters: Parameters): string =>
  Object.entries<unknown>(Object(values))
    .map(([name, value]) => (value && ranges[name] ? ` AND ${ranges[name](placeholdersOf(value, parameters))}` : ''))
    .join('')

/** Whether a single index has the order: of a single key, PostgreSQL sorts nulls last ascending. */
const isInOneOrder = ({ keys, isNullable, isScanned }: SqlOrder, direction: SortDirection) =>
  !isScanned && (!isNullable || (keys.length === 1 && direction === 'asc'))

const sortedBy = ({ keys, isNullable }: SqlOrder, id: string, direction: SortDirection) => {
  const by = isNullable && direction === 'desc' ? 'desc NULLS LAST' : direction
  return [...keys.map(([expression]) => `${expression} ${by}`), `${id} ${direction}`].join(', ')
}

/** Whether a scan of the first rows can be expected to find enough. With other filters, PostgreSQL estimates it from their values. */
const canScan = <Filters>(list: Pick<Sql<string, Filters>, 'filters' | 'scanFilters'>, values: Filters): boolean =>
  activeFilters(list, values).every((name) => list.scanFilters?.includes(name))

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
  const parts = matching(list, filters, owner, parameters)
  const [onlyPart, ...others] = parts
  const first = () => {
    const split = splitByNull(order, parts, rangeOf(order, filters, parameters))
    return firstOfParts(list, order, split, { direction, limit: `${count}::bigint + ${before}::bigint`, canScan: canScan(list, filters) })
  }
  const page =
    onlyPart && others.length === 0 && isInOneOrder(order, direction)
      ? `SELECT ${selected(list, order)} ${textOf(onlyPart)} ORDER BY ${sortedBy(order, list.id, direction)} LIMIT ${count} OFFSET ${before}`
      : `SELECT * FROM (${first()}) page ORDER BY ${sortedByKeys(order, direction)} LIMIT ${count} OFFSET ${before}`
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
  const limit = parameters.add(range.limit)
  const split = splitByNull(order, matching(list, filters, owner, parameters), rangeOf(order, filters, parameters))
  const bounds = [boundOf(range.after, direction, false), boundOf(range.before, reverse(direction), true)]
  const within: Within = (isNullPart, rowId) => bounds.map((bound) => (bound ? ` AND ${bound(isNullPart, rowId)}` : '')).join('')
  const first = firstOfParts(list, order, split, { direction: walk, limit, canScan: canScan(list, filters), within })

  /** The condition for rows of a part beyond a position. Rows with null follow all others. */
  function boundOf(position: Position | null, by: SortDirection, isBefore: boolean): Within | null {
    if (!position) return null
    const isNull = position.values[0] === null
    const values = [...(isNull ? [] : position.values), position.id].map((value) => parameters.add(value))
    const sign = by === 'asc' ? '>' : '<'
    return (isNullPart, rowId) => {
      if (isNullPart !== isNull) return String(isNull === isBefore)
      const compared = [...(isNull ? [] : order.keys), [rowId, list.idType ?? 'uuid'] as const]
      const typed = compared.map(([, type], index) => `${values[index]}::${type}`)
      const from = order.isJoined && !isNull ? `${order.keys[0][0]} ${sign}= ${typed[0]} AND ` : ''
      return `${from}(${compared.map(([expression]) => expression).join(', ')}) ${sign} (${typed.join(', ')})`
    }
  }

  const cursor = order.keys.map((_, index) => `"key${index}"::text AS "cursor${index}"`).join(', ')
  return `SELECT page.*, ${cursor} FROM (${first}) page
    ORDER BY ${sortedByKeys(order, walk, range.isBackward ? 'FIRST' : 'LAST')} LIMIT ${limit}`
}

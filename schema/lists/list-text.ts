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
): string[] {
  const conditions = activeFilters(list, values).map((name) => {
    const condition = list.filters[name](placeholdersOf(values[name], parameters))
    // NOT instead of IS NOT TRUE, for which PostgreSQL finds no index.
    return values[name] === false ? ` AND NOT (${condition})` : ` AND ${condition}`
  })
  return [list.rows(owner)].flat().map((rows) => rows + conditions.join(''))
}

/** Selects the number of rows that match as `inAll`, in one row. */
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

/** The order of selected rows by their columns `key0…` and `keyId`. Without nulls, it is that of each part, which PostgreSQL then merges. */
export function sortedByKeys({ keys, isNullable }: SqlOrder, direction: SortDirection, nulls: 'FIRST' | 'LAST' = 'LAST'): string {
  const by = isNullable ? `${direction} NULLS ${nulls}` : direction
  return [...keys.map((_, index) => `"key${index}" ${by}`), `"keyId" ${direction}`].join(', ')
}

/**
 * Rows without a value are read separately if there can be some, so that both parts can use the index in either direction:
 * PostgreSQL sorts nulls first in one of them. Returns the parts, and whether the keys are null in each.
 */
const splitByNull = ({ isNullable, keys: [[key]] }: SqlOrder, parts: readonly string[], range: string) =>
  parts.flatMap((rows, index) =>
    !isNullable || (index > 0 && isNullable === 'in the first part')
      ? [{ rows, isNull: false }]
      : [false, true].map((isNull) => ({ rows: `${rows} AND ${key} IS ${isNull ? 'NULL' : `NOT NULL${range}`}`, isNull })),
  )

/** The conditions on the first key that follow from the filters where it is not null. */
const rangeOf = <Filters>({ isNullable, ranges = {} }: SqlOrder, values: Filters, parameters: Parameters): string =>
  Object.entries<unknown>(isNullable ? Object(values) : {})
    .map(([name, value]) => (value == null || !ranges[name] ? '' : ` AND ${ranges[name](placeholdersOf(value, parameters))}`))
    .join('')

/** Whether a page has one part, with the order of an index or without any: of a single key, PostgreSQL sorts nulls last ascending. */
const inOneOrder = ({ keys, isNullable, isUnindexed }: SqlOrder, parts: readonly string[], direction: SortDirection) =>
  parts.length === 1 && (!isNullable || isUnindexed || (keys.length === 1 && direction === 'asc'))

const sortedBy = ({ keys, isNullable }: SqlOrder, id: string, direction: SortDirection) => {
  const by = isNullable && direction === 'desc' ? 'desc NULLS LAST' : direction
  return [...keys.map(([expression]) => `${expression} ${by}`), `${id} ${direction}`].join(', ')
}

const selected = ({ columns, id }: { columns: string; id: string }, { keys }: SqlOrder) =>
  `${columns}, ${keys.map(([key], index) => `${key} AS "key${index}"`).join(', ')}, ${id} AS "keyId"`

/**
 * Selects the first rows of each part of a list, at most `limit` of each, so that PostgreSQL chooses for each part whether it reads the rows in
 * the order of an index until there are enough, or finds all that match and sorts them. `within` are further conditions.
 */
function firstOfParts<Order extends string, Filters>(
  list: Sql<Order, Filters>,
  order: SqlOrder,
  parts: ReturnType<typeof splitByNull>,
  direction: SortDirection,
  limit: string,
  within: (isNull: boolean) => string = () => '',
): string {
  const condition = order.condition === undefined ? '' : ` AND ${order.condition}`
  const texts = parts.map(({ rows, isNull }) => {
    // Where all keys are null, the first is named only because it precedes the identifier in the index.
    const sorted = [...order.keys.slice(0, isNull ? 1 : undefined).map(([key]) => key), list.id].map((each) => `${each} ${direction}`)
    return `(SELECT ${selected(list, order)} ${rows}${condition}${within(isNull)} ORDER BY ${sorted.join(', ')} LIMIT ${limit})`
  })
  return texts.join(' UNION ALL ')
}

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
  const first = () => {
    const split = splitByNull(order, parts, rangeOf(order, filters, parameters))
    return firstOfParts(list, order, split, direction, `${count}::bigint + ${before}::bigint`)
  }
  const page = inOneOrder(order, parts, direction)
    ? `SELECT ${selected(list, order)} ${parts[0]} ORDER BY ${sortedBy(order, list.id, direction)} LIMIT ${count} OFFSET ${before}`
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
  const parts = splitByNull(order, matching(list, filters, owner, parameters), rangeOf(order, filters, parameters))
  const first = firstOfParts(list, order, parts, walk, limit, (isNullPart) => {
    const { after, before } = range
    const conditions = [
      after && beyond(after, isNullPart, direction, false),
      before && beyond(before, isNullPart, reverse(direction), true),
    ]
    return conditions.map((condition) => (condition === null ? '' : ` AND ${condition}`)).join('')
  })

  /** The condition for rows of a part beyond a position. Rows with null follow all others. */
  function beyond({ values, id }: Position, isNullPart: boolean, by: SortDirection, isBefore: boolean): string {
    const isNull = values[0] === null
    if (isNullPart !== isNull) return String(isNull === isBefore)
    const identifier = [list.id, list.idType ?? 'uuid'] as const
    const compared = isNull ? [identifier] : [...order.keys, identifier]
    const bounds = compared.map(([, type], index) => `${parameters.add((isNull ? [id] : [...values, id])[index])}::${type}`)
    const sign = by === 'asc' ? '>' : '<'
    const from = order.isJoined && !isNull ? `${order.keys[0][0]} ${sign}= ${bounds[0]} AND ` : ''
    return `${from}(${compared.map(([expression]) => expression).join(', ')}) ${sign} (${bounds.join(', ')})`
  }

  const cursor = order.keys.map((_, index) => `"key${index}"::text AS "cursor${index}"`).join(', ')
  return `SELECT page.*, ${cursor} FROM (${first}) page
    ORDER BY ${sortedByKeys(order, walk, range.isBackward ? 'FIRST' : 'LAST')} LIMIT ${limit}`
}

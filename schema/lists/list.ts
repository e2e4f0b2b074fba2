import type { Page, Rows, Slice } from '../builder/pagination.ts'
import type { Context } from '../core/context.ts'
import { loadBatched } from './batch.ts'
import { buildConnection } from './connection.ts'
import type { Connection, ConnectionArguments } from './connection.ts'
import type { Aggregate, ListDeclaration, ListQuery, SqlOrder } from './declaration.ts'
import { keptPages, wholePages } from './pages.ts'
import {
  activeFilters,
  countText,
  isKept,
  matching,
  getNullsOrder,
  pageText,
  rangeText,
  sortedByKeys,
  getWalkDirection,
} from './list-text.ts'
import type { Range } from './list-text.ts'
import { readAcross, readOwners, readTogether } from './read-owners.ts'
import type { ComposeFirst, Parameters } from './read-owners.ts'

/** The parts of a page to read: its rows, the size of the list, or both. */
export interface RequestedParts {
  nodes: boolean
  total: boolean
}

/** The list that a page or a connection belongs to, for further fields of its type. */
export interface OfList<Filters> {
  ownerId: string
  filters: Filters
}

/** A list for each owner. Owners whose lists are read at the same time, in the same way, share the statements. */
export interface List<Node, Order extends string, Filters> {
  /** Reads a numbered page. Without `nodes` it loads no rows, and without `total` it counts none. */
  page(
    context: Context,
    ownerId: string,
    query: ListQuery<Order, Filters>,
    slice: Slice,
    requested: RequestedParts,
  ): Promise<Page<Node> & OfList<Filters>>
  /** Returns a Relay connection that reads only the selected fields. Throws `validation_failed` for invalid arguments. */
  connection(
    context: Context,
    ownerId: string,
    query: ListQuery<Order, Filters>,
    args: ConnectionArguments,
  ): Connection<Node> & OfList<Filters>
  /** Reads a numbered page of the rows of many owners in one order. */
  pageAcross(
    context: Context,
    ownerIds: readonly string[],
    query: ListQuery<Order, Filters>,
    slice: Slice,
    requested: RequestedParts,
  ): Promise<Page<Node>>
  /** Returns a Relay connection of the rows of many owners in one order. */
  connectionAcross(
    context: Context,
    ownerIds: readonly string[],
    query: ListQuery<Order, Filters>,
    args: ConnectionArguments,
  ): Connection<Node>
  /** Returns the number of rows that match. */
  count(context: Context, ownerId: string, filters: Filters): Promise<number>
  /** Reads an aggregate of all rows that match, one row per group. `Row` is the row that its columns select. */
  aggregate<Row extends object>(context: Context, ownerId: string, filters: Filters, aggregate: Aggregate): Promise<Row[]>
}

/** A row with the columns that the statements add. */
type Selected<Row> = Row & { inAll: number; keyId: string | null } & Record<`cursor${number}`, string | null>

export function defineList<Row extends { id: string }, Node, Order extends string, Filters extends object>(
  list: ListDeclaration<Row, Node, Order, Filters>,
): List<Node, Order, Filters> {
  const keptPage = keptPages(list)
  const wholePage = wholePages<Selected<Row>, Order, Filters>(list)
  const toNodes = ({ nodes, total }: Rows<Row>): Rows<Node> => ({ nodes: nodes.map(list.toNode), total })
  const getPage = (rows: Selected<Row>[]) => toNodes({ nodes: rows[0]?.keyId == null ? [] : rows, total: rows[0]?.inAll ?? 0 })

  /** Returns an equal key for equal filters, whatever else is in the object. */
  const getKey = (filters: Filters, omitted: readonly (keyof Filters)[] = []) =>
    activeFilters(list, filters)
      .filter((name) => !omitted.includes(name))
      .map((name) => `${String(name)}=${JSON.stringify(filters[name])}`)
      .join(' ')
  const getName = ({ orderBy, filters }: ListQuery<Order, Filters>, omitted?: readonly (keyof Filters)[]) =>
    `${list.name} ${orderBy.field} ${orderBy.direction} ${getKey(filters, omitted)}`
  /** Returns the name of the list to which a cursor belongs. It contains the sort keys, because those of another version can differ. */
  const cursorName = (query: ListQuery<Order, Filters>, owner: string) =>
    `${getName(query, list.accessFilters)} ${JSON.stringify(list.orders[query.orderBy.field].keys)} of ${owner}`

  async function loadPages(
    context: Context,
    query: ListQuery<Order, Filters>,
    teamIds: string[],
    slice: Slice,
    total: boolean,
  ): Promise<ReadonlyMap<string, Rows<Node>>> {
    const { pool } = context.database
    const { field, direction } = query.orderBy
    if (field === list.kept?.pages.order && isKept(list, query.filters))
      return mapValues(await keptPage(pool, teamIds, slice, direction, query.filters), toNodes)
    const [teamId = ''] = teamIds
    if (teamIds.length === 1 && activeFilters(list, query.filters).length === 0)
      return new Map([[teamId, getPage(await wholePage(query.orderBy, total)(pool, teamId, slice.perPage, slice.offset))]])
    const sorted = sortedByKeys(list.orders[field], direction)
    const pages = await readOwners<Selected<Row>>(context, teamIds, (...owner) => pageText(list, query, slice, total, ...owner), { sorted })
    return mapValues(pages, getPage)
  }

  async function loadRange(context: Context, query: ListQuery<Order, Filters>, ownerId: string, range: Range) {
    const order = list.orders[query.orderBy.field]
    const sorted = sortedByKeys(order, getWalkDirection(query.orderBy.direction, range), getNullsOrder(range))
    const load = (ownerIds: string[]) =>
      readOwners<Selected<Row>>(context, ownerIds, (...owner) => rangeText(list, query, range, ...owner), { sorted })
    const rows = (await loadBatched(context, `${getName(query)} ${JSON.stringify(range)}`, ownerId, load)) ?? []
    return rows.map((row) => positioned(row, order))
  }

  const positioned = (row: Selected<Row>, order: SqlOrder) => ({
    node: list.toNode(row),
    position: { values: order.keys.map((_, index) => row[`cursor${index}`] ?? null), id: row.keyId ?? '' },
  })

  async function count(context: Context, ownerId: string, filters: Filters): Promise<number> {
    const load = (ownerIds: string[]) => readOwners<{ inAll: number }>(context, ownerIds, (...owner) => countText(list, filters, ...owner))
    return (await loadBatched(context, `${list.name} ${getKey(filters)} count`, ownerId, load))?.[0]?.inAll ?? 0
  }

  async function countAcross(context: Context, ownerIds: readonly string[], filters: Filters): Promise<number> {
    const [row] = await readTogether<{ inAll: number }>(context, ownerIds, (...owners) => countText(list, filters, ...owners))
    return row?.inAll ?? 0
  }

  return {
    count,
    async pageAcross(context, ownerIds, query, { page, perPage, offset }, requested) {
      const { field, direction } = query.orderBy
      const compose: ComposeFirst = (owner, parameters, limit) =>
        pageText(list, query, { page: 1, perPage: limit, offset: 0 }, false, owner, parameters)
      const limits = { sorted: sortedByKeys(list.orders[field], direction), limit: perPage, offset }
      const [rows, total] = await Promise.all([
        requested.nodes ? readAcross<Row>(context, ownerIds, compose, limits) : [],
        requested.total ? countAcross(context, ownerIds, query.filters) : 0,
      ])
      return { page, perPage, nodes: rows.map(list.toNode), total }
    },
    connectionAcross(context, ownerIds, query, args) {
      const { field, direction } = query.orderBy
      const order = list.orders[field]
      const readRange = async (range: Range) => {
        const compose: ComposeFirst = (owner, parameters, limit) => rangeText(list, query, { ...range, limit }, owner, parameters)
        const sorted = sortedByKeys(order, getWalkDirection(direction, range), getNullsOrder(range))
        const limits = { sorted, limit: range.limit }
        const rows = await readAcross<Selected<Row>>(context, ownerIds, compose, limits)
        return rows.map((row) => positioned(row, order))
      }
      return buildConnection(context, cursorName(query, 'several'), args, {
        readRange,
        count: () => countAcross(context, ownerIds, query.filters),
      })
    },
    async page(context, ownerId, query, slice, requested) {
      const { page, perPage } = slice
      const numbers = { page, perPage, ownerId, filters: query.filters }
      if (!requested.nodes) return { ...numbers, nodes: [], total: requested.total ? await count(context, ownerId, query.filters) : 0 }
      const load = (ownerIds: string[]) => loadPages(context, query, ownerIds, slice, requested.total)
      const rows = await loadBatched(context, `${getName(query)} page ${page} of ${perPage} ${requested.total}`, ownerId, load)
      return { ...numbers, nodes: rows?.nodes ?? [], total: rows?.total ?? 0 }
    },
    connection(context, ownerId, query, args) {
      const source = {
        readRange: (range: Range) => loadRange(context, query, ownerId, range),
        count: () => count(context, ownerId, query.filters),
      }
      return { ...buildConnection(context, cursorName(query, ownerId), args, source), ownerId, filters: query.filters }
    },
    async aggregate<Result extends object>(context: Context, ownerId: string, filters: Filters, { name, columns, groupBy }: Aggregate) {
      const compose = (owner: string, parameters: Parameters) => {
        const [rows, ...others] = matching(list, filters, owner, parameters)
        if (others.length > 0) throw new Error(`the list ${list.name} has several parts, which an aggregate does not combine`)
        return `SELECT ${columns(parameters)} ${rows} GROUP BY ${groupBy} ORDER BY ${groupBy}`
      }
      const load = (ownerIds: string[]) => readOwners<Result>(context, ownerIds, compose, { sorted: groupBy })
      return (await loadBatched(context, `${list.name} ${getKey(filters)} ${name}`, ownerId, load)) ?? []
    },
  }
}

const mapValues = <From, To>(values: ReadonlyMap<string, From>, convert: (value: From) => To): ReadonlyMap<string, To> =>
  new Map(Array.from(values, ([key, value]) => [key, convert(value)]))

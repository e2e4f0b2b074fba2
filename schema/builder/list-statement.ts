import type pg from 'pg'
import { statement } from '../../prisma/statement.ts'
import type { Page, Slice } from './pagination.ts'
import type { SortDirection } from './sort-direction.ts'

/** A list that is searched, filtered and sorted. */
interface SearchedList<Sort extends string> {
  /** Name of its prepared statements. */
  name: string
  /** Selects the rows that match, with a column `id`. `$1` and `$2` are the limit and the offset; values follow from `$3`. */
  matching: string
  /** The columns of a row `r` of the page. Those that are expensive are computed for the page alone, unless it is sorted by them. */
  columns: string
  /** The orders, each an output column. */
  orders: Readonly<Record<Sort, string>>
  /** A query that selects an aggregate of the whole list, as one text value. */
  aggregate?: string
}

/** A page, with the aggregate of the whole list. */
export interface SearchedPage<Row> extends Page<Row> {
  aggregate: string | null
}

/**
 * Prepares the statements that read a page of a searched list with its exact total, one for each order, since PostgreSQL plans
 * an order and not a parameter. Rows without a value come last in both directions.
 */
export function listStatement<Row extends { id: string }, Sort extends string, Values extends unknown[]>(list: SearchedList<Sort>) {
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  const prepare = (sort: Sort, direction: SortDirection) => {
    const order = `ORDER BY ${list.orders[sort]} ${direction} NULLS LAST, id ${direction}`
    return statement<Row & { inAll: number; ofAll: string | null }, [limit: number, offset: number, ...Values]>(
      `${list.name}_by_${sort}_${direction}`,
      `WITH matching AS (${list.matching})
       SELECT t.*, page.* FROM (SELECT count(*) AS "inAll", (${list.aggregate ?? 'NULL::text'}) AS "ofAll" FROM matching) t
       LEFT JOIN (SELECT ${list.columns} FROM matching r ${order} LIMIT $1 OFFSET $2) page ON true ${order}`,
    )
  }
  return async (
    pool: pg.Pool,
    { page, perPage, offset }: Slice,
    sort: Sort,
    direction: SortDirection,
    ...values: Values
  ): Promise<SearchedPage<Row>> => {
    const key = `${sort} ${direction}`
    const read = prepared.get(key) ?? prepare(sort, direction)
    prepared.set(key, read)
    const rows = await read(pool, perPage, offset, ...values)
    const { inAll = 0, ofAll = null } = rows[0] ?? {}
    return { nodes: rows[0]?.id == null ? [] : rows, total: inAll, page, perPage, aggregate: ofAll }
  }
}

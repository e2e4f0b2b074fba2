import type { OrderBy } from './order-by.ts'

/** Placeholders of the values that a condition needs. Reading one adds the value to the statement, so read only those in the text. */
export interface Placeholders {
  /** The value of the filter. */
  readonly value: string
  /** A property of the value. */
  readonly part: (name: string) => string
  /** The time of the request. */
  readonly now: string
}

/** An SQL expression of a row `r`, and its type. */
export type OrderKey = readonly [expression: string, type: string]

export interface SqlOrder {
  /**
   * The expressions by which rows are sorted, in one direction, before the identifier. An index on the owner and these makes the list fast.
   */
  keys: readonly [OrderKey, ...OrderKey[]]
  /** True if the keys can be null, all at once. Such rows come last in both directions. */
  isNullable?: true
}

/** The lists whose rows the table `team_counts` counts, by team and by the value of one column (docs/decisions/pagination.md#kept-counts). */
export interface KeptCount<Order extends string, Filters> {
  table: 'members' | 'invoices'
  /** The filter whose value is the key of the counts. */
  key?: { filter: keyof Filters; column: string; type: string }
  /** The order in which pages are read from the nearer end of the index on the team and these columns. */
  pages: { order: Order; columns: readonly string[] }
  /** The tables that are joined with the rows of such a page. */
  joins?: string
}

/**
 * The declaration of a list in SQL. Numbered pages, Relay connections and totals, of one owner and of many at once, are derived from it
 * (schema/lists/list.ts). `Row` is the selected row, with one property per GraphQL field under the field's name; `Node` is what the
 * resolvers of its fields receive.
 *
 *     const members = defineList<StoredMember, MemberRow, MemberOrder, MemberFilters>({
 *       name: 'members',
 *       rows: (team) => `FROM members r JOIN users u ON u.id = r.user_id WHERE r.team_id = ${team}`,
 *       id: 'r.user_id',
 *       columns: 'r.role, u.name',
 *       orders: { name: { keys: [['lower(u.name)', 'text']] } },
 *       filters: { role: ({ value }) => `r.role = ${value}::"Role"` },
 *       toNode: withUserId,
 *     })
 */
export interface ListDeclaration<Row, Node, Order extends string, Filters> {
  /** Name of the list, unique among all lists. */
  name: string
  /**
   * FROM and WHERE of the rows of an owner, which is an SQL expression of type uuid: a team, or a user. The text ends with a condition.
   * Several texts are the parts of a list. PostgreSQL reads each in the way that is best for it, and the first rows of all are merged.
   */
  rows: (owner: string, filters: Filters) => string | readonly string[]
  /** The unique expression that ends every order. */
  id: string
  /** SQL type of `id`; default `uuid`. */
  idType?: string
  /** The selected columns. Expensive ones are evaluated for the rows of the page alone. */
  columns: string
  orders: Readonly<Record<Order, SqlOrder>>
  /**
   * Conditions of the filters. A filter is omitted if its value is null or undefined, and negated if its value is false. The condition of
   * such a filter must not be null.
   */
  filters: { readonly [Name in keyof Filters]-?: (placeholders: Placeholders) => string }
  /**
   * Filters that limit the list to the rows that the caller may see. A cursor does not depend on their values, so it stays valid when the
   * access of the caller changes.
   */
  accessFilters?: readonly (keyof Filters)[]
  toNode: (row: Row) => Node
  kept?: KeptCount<Order, Filters>
}

/** An aggregate of the rows `r` of a list. */
export interface Aggregate {
  /** Name, unique among the aggregates of the list. */
  name: string
  columns: (placeholders: Pick<Placeholders, 'now'>) => string
  /** The columns by which the rows are grouped and sorted. */
  groupBy: string
}

/** The rows that a field selects. */
export interface ListQuery<Order extends string, Filters> {
  orderBy: OrderBy<Order>
  filters: Filters
}

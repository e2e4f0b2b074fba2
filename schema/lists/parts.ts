import type { SortDirection } from '../builder/pagination.ts'
import type { ListDeclaration, SqlOrder } from './declaration.ts'

// PostgreSQL reads each part of a list in the way that is best for it (docs/decisions/pagination.md#lists-of-several-parts).

type Columns = Pick<ListDeclaration<never, unknown, string, unknown>, 'columns' | 'id'>

/** Builds FROM and WHERE of the rows `r` that a text selects for an owner. */
export const rowsFrom = (owner: string, text: string) => `FROM (SELECT ${owner} AS team_id, part.* FROM (${text}) part) r WHERE true`

/** The place of rows without a value: they are the last ones of the list, and so the first ones of a walk from its end. */
export type Nulls = 'LAST' | 'FIRST'

/** Builds ORDER BY of an order from SQL expressions or output columns for its keys and the identifier. */
export function sortedBy({ isNullable }: SqlOrder, keys: readonly string[], id: string, direction: SortDirection, nulls: Nulls): string {
  const by = isNullable ? `${direction} NULLS ${nulls}` : direction
  return [...keys.map((key) => `${key} ${by}`), `${id} ${direction}`].join(', ')
}

const selected = ({ columns, id }: Columns, { keys }: SqlOrder) =>
  `${columns}, ${keys.map(([key], index) => `${key} AS "key${index}"`).join(', ')}, ${id} AS "keyId"`

interface FirstRows {
  direction: SortDirection
  nulls: Nulls
  /** The maximum number of rows of each part. */
  limit: string
}

/** Builds the text for the first rows of each part, which is its FROM and WHERE. The sorted rows of several parts can be merged. */
export function firstOfParts(list: Columns, order: SqlOrder, parts: readonly string[], { direction, nulls, limit }: FirstRows): string {
  const keys = order.keys.map(([key]) => key)
  const sorted = sortedBy(order, keys, list.id, direction, nulls)
  const texts = parts.map((part) => `SELECT ${selected(list, order)} ${part} ORDER BY ${sorted} LIMIT ${limit}`)
  return texts.length === 1 ? texts.join('') : texts.map((text) => `(${text})`).join(' UNION ALL ')
}

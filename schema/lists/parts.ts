import type { SortDirection } from '../builder/sort-direction.ts'
import type { ListDeclaration, ScannedRows, SqlOrder } from './declaration.ts'

// The parts of a list, each of which is read in the way that is best for it (docs/decisions/pagination.md#access-to-a-team).

/** The rows of an owner in one part of a list. */
export interface Part {
  owner: string
  rows: string | ScannedRows
  /** The filters. */
  where: string
}

/** A part whose keys are all null, or all not null. */
interface UniformPart extends Part {
  isNull: boolean
  /** What is therefore true for all its keys, and what follows from the filters. */
  condition: string
}

/** Writes conditions on the keys and the identifier of the rows of a part. */
export type Within = (isNull: boolean, id: string) => string

type Columns = Pick<ListDeclaration<never, unknown, string, unknown>, 'columns' | 'id'>

/** FROM and WHERE of the rows `r` that a text selects for an owner. */
export const rowsFrom = (owner: string, text: string) => `FROM (SELECT ${owner} AS team_id, part.* FROM (${text}) part) r WHERE true`

/** FROM and WHERE of a part. */
export const textOf = ({ rows, where }: Part): string =>
  (typeof rows === 'string' ? rows : rows.from(`${rows.table} ${rows.alias}`)) + where

/**
 * Rows without a value are read separately if there can be some, so that both parts can use the index in either direction:
 * PostgreSQL sorts nulls first in one of them. `range` is a condition on keys that are not null.
 */
export const splitByNull = ({ isNullable, keys: [[key]] }: SqlOrder, parts: readonly Part[], range: string): UniformPart[] =>
  parts.flatMap((part, index) =>
    !isNullable || (index > 0 && isNullable === 'in the first part')
      ? [{ ...part, isNull: false, condition: range }]
      : [
          { ...part, isNull: false, condition: ` AND ${key} IS NOT NULL${range}` },
          { ...part, isNull: true, condition: ` AND ${key} IS NULL` },
        ],
  )

export const selected = ({ columns, id }: Columns, { keys }: SqlOrder) =>
  `${columns}, ${keys.map(([key], index) => `${key} AS "key${index}"`).join(', ')}, ${id} AS "keyId"`

interface FirstRows {
  direction: SortDirection
  /** The largest number of rows of each part. */
  limit: string
  /** Whether a scan can be expected to find enough rows. */
  canScan: boolean
  within?: Within
}

/** Selects the first rows of each part of a list. */
export const firstOfParts = (list: Columns, order: SqlOrder, parts: readonly UniformPart[], rows: FirstRows): string =>
  parts.map((part) => `(${firstOfPart(list, order, part, rows)})`).join(' UNION ALL ')

function firstOfPart(
  list: Columns,
  order: SqlOrder,
  part: UniformPart,
  { direction, limit, canScan, within = () => '' }: FirstRows,
): string {
  const { owner, rows, where, condition, isNull } = part
  // Where all keys are null, the first is named only because it precedes the identifier in the index.
  const [first, ...others] = order.keys.slice(0, isNull ? 1 : undefined).map(([key]) => key)
  const sortedBy = (...keys: unknown[]) => `ORDER BY ${keys.map((key) => `${String(key)} ${direction}`).join(', ')}`
  const ofJoin = order.condition === undefined ? '' : ` AND ${order.condition}`
  const firstOf = (text: string, key: unknown) =>
    `SELECT ${selected(list, order)} ${text}${condition}${ofJoin}${within(isNull, list.id)} ${sortedBy(key, ...others, list.id)} LIMIT ${limit}`
  if (typeof rows === 'string' || !canScan || !order.isScanned) return firstOf(textOf(part), first)

  const inOrder = `FROM ${rows.table} r WHERE true${condition}${within(isNull, 'r.id')} ${sortedBy(first, ...others, 'r.id')}`
  const scanned = rows.from(`(SELECT * ${inOrder} LIMIT ${mostScanned(owner)}) ${rows.alias}`) + where
  // The scan is complete if it found enough rows or ended before its limit. No index has an order by coalesce, so PostgreSQL cannot choose a
  // scan without a limit for the other way.
  return `WITH scanned AS MATERIALIZED (${firstOf(scanned, first)}), complete AS MATERIALIZED (
      SELECT count(*) = ${limit} OR NOT EXISTS (SELECT ${inOrder} OFFSET ${mostScanned(owner)} LIMIT 1) AS is_complete FROM scanned)
    SELECT * FROM scanned WHERE (SELECT is_complete FROM complete)
    UNION ALL SELECT * FROM (${firstOf(textOf(part), `coalesce(${first}, ${first})`)}) found WHERE NOT (SELECT is_complete FROM complete)`
}

/** The number of rows of all teams that are scanned before those of the members of a team are read. It takes about as long to read these. */
const mostScanned = (team: string) =>
  `least(10000, (SELECT greatest(sum(count), 0) / 2 FROM team_counts WHERE team_id = ${team} AND list = 'members'))`

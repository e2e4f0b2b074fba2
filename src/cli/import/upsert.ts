import type { ClientBase } from 'pg'

/** How records of one type are kept: in which columns, and by which of them they are known. */
export interface UpsertTable {
  table: string
  /** Columns of the natural key, with their types. */
  key: Readonly<Record<string, string>>
  /** The other columns that records fill, with their types. */
  columns: Readonly<Record<string, string>>
  /** Columns that stay as they are where a record says nothing, and their value in a new row, as SQL. */
  kept?: Readonly<Record<string, string>>
  /** A column that tells when the row was last changed. */
  changedAt?: string
  /** Whether the identifiers of written rows are of use. */
  returnsId?: boolean
}

/** A row to be, by column names. */
type Row = Readonly<Record<string, unknown>>

/** A row that was written; those that were already as they are to be are not touched, nor told of. */
export interface Written {
  /** Its place among the rows given, from 0. */
  n: number
  created: boolean
  /** Where the table says `returnsId`. */
  id?: string
}

export type Upsert = (session: ClientBase, rows: readonly Row[]) => Promise<Written[]>

/**
 * One statement that makes rows be as given: what differs is found first, so that an equal row is not even locked
 * (ON CONFLICT … WHERE would). A batch must name no key twice.
 */
export function upsert({ table, key, columns, kept = {}, changedAt, returnsId = false }: UpsertTable): Upsert {
  const keys = Object.keys(key)
  const values = Object.keys(columns)
  const all = [...keys, ...values]
  const list = (names: string[], prefix = '') => names.map((name) => `${prefix}${name}`).join(', ')
  const wanted = (name: string) => (Object.hasOwn(kept, name) ? `coalesce(i.${name}, e.${name}, ${kept[name]})` : `i.${name}`)
  const text = `
    WITH incoming AS (SELECT * FROM ${recordset({ ...key, ...columns })}),
    merged AS (
      SELECT i.n, ${list(keys, 'i.')}, ${values.map((name) => `${wanted(name)} AS ${name}`).join(', ')},
        e.${keys[0]} IS NULL AS created,
        (${list(values, 'e.')}) IS DISTINCT FROM (${values.map(wanted).join(', ')}) AS differs
      FROM incoming i LEFT JOIN ${table} e ON ${keys.map((name) => `e.${name} = i.${name}`).join(' AND ')}
    ),
    written AS (
      INSERT INTO ${table} (${list(all)}) SELECT ${list(all)} FROM merged WHERE created OR differs
      ON CONFLICT (${list(keys)}) DO UPDATE SET ${values.map((name) => `${name} = excluded.${name}`).join(', ')}
        ${changedAt === undefined ? '' : `, ${changedAt} = now()`}
      RETURNING ${list(keys)}${returnsId ? ', id' : ''}
    )
    SELECT n, created${returnsId ? ', written.id' : ''} FROM written JOIN merged USING (${list(keys)})`
  return async (session, rows) => {
    if (rows.length === 0) return []
    const result = await session.query<Written>(text, [JSON.stringify(rows)])
    return result.rows
  }
}

/** The first parameter, a JSON array of rows, as table `i`, with each row's place `n`; absent members are NULL. */
export function recordset(columns: Readonly<Record<string, string>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `(SELECT *, (ordinal - 1)::int AS n FROM ROWS FROM (json_to_recordset($1::json) AS (${typed.join(', ')}))
    WITH ORDINALITY AS r (${Object.keys(columns).join(', ')}, ordinal)) AS i`
}

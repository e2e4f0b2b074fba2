import type { ClientBase } from 'pg'
import type { RecordType } from '../records/record-type.ts'
import type { Identifiers, Row } from '../records/storage.ts'

/** A row that was created or changed. Rows that are already up to date are neither touched nor returned. */
export interface Written {
  /** The index of the row in the batch. */
  n: number
  created: boolean
  /** Identifier of the row, with `returnsId`. */
  id?: string
  /** The row before the change, with `withBefore`; null for a new one. */
  before?: Row | null
}

/** Identifiers for members that refer to no other record. */
export const noIdentifiers: Identifiers = { team: new Map(), user: new Map() }

/**
 * Prepares the statement that creates or updates rows of a record type. It finds the differing rows first, so that an
 * equal row is not even locked, which ON CONFLICT … WHERE would do. A batch must not contain a key twice.
 */
export function upsertRows({ table, keyColumns, otherColumns, keptColumns, changedAt }: RecordType, { returnsId = false } = {}) {
  const keys = Object.keys(keyColumns)
  const values = Object.keys(otherColumns)
  const all = [...keys, ...values]
  const list = (names: string[], prefix = '') => names.map((name) => `${prefix}"${name}"`).join(', ')
  const buildNewValue = (name: string) =>
    Object.hasOwn(keptColumns, name) ? `coalesce(i."${name}", e."${name}", ${keptColumns[name]})` : `i."${name}"`
  const buildText = (withBefore: boolean) => `
    WITH incoming AS (SELECT * FROM ${recordset({ ...keyColumns, ...otherColumns })}),
    merged AS (
      SELECT i.n, ${list(keys, 'i.')}, ${values.map((name) => `${buildNewValue(name)} AS "${name}"`).join(', ')},
        e."${keys[0]}" IS NULL AS created,
        (${list(values, 'e.')}) IS DISTINCT FROM (${values.map(buildNewValue).join(', ')}) AS differs${withBefore ? ', to_jsonb(e) AS before' : ''}
      FROM incoming i LEFT JOIN ${table} e ON ${keys.map((name) => `e."${name}" = i."${name}"`).join(' AND ')}
    ),
    written AS (
      INSERT INTO ${table} (${list(all)}) SELECT ${list(all)} FROM merged WHERE created OR differs
      ON CONFLICT (${list(keys)}) DO UPDATE SET ${values.map((name) => `"${name}" = excluded."${name}"`).join(', ')}
        ${changedAt === undefined ? '' : `, ${changedAt} = now()`}
      RETURNING ${list(keys)}${returnsId ? ', id' : ''}
    )
    SELECT n, created${returnsId ? ', written.id' : ''}${withBefore ? ', merged.before' : ''} FROM written JOIN merged USING (${list(keys)})`
  const [text, textWithBefore] = [buildText(false), buildText(true)]
  return async (session: ClientBase, rows: readonly Row[], withBefore = false): Promise<Written[]> => {
    if (rows.length === 0) return []
    const result = await session.query<Written>(withBefore ? textWithBefore : text, [JSON.stringify(rows)])
    return result.rows
  }
}

/** Creates or updates rows like `upsertRows`, for resolved entries of a chunk. */
export function upsert(type: RecordType, options?: { returnsId: boolean }) {
  const write = upsertRows(type, options)
  return (session: ClientBase, entries: readonly { row: Row }[], withBefore: boolean): Promise<Written[]> =>
    write(
      session,
      entries.map(({ row }) => row),
      withBefore,
    )
}

/** Returns SQL for the first parameter, a JSON array of rows, as table `i` with the index `n`. Absent members are NULL. */
export function recordset(columns: Readonly<Record<string, string>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`)
  return `(SELECT *, (ordinal - 1)::int AS n FROM ROWS FROM (json_to_recordset($1::json) AS (${typed.join(', ')}))
    WITH ORDINALITY AS r (${Object.keys(columns)
      .map((name) => `"${name}"`)
      .join(', ')}, ordinal)) AS i`
}

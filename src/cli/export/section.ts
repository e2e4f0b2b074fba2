import type { WrittenRecord, RecordType } from '../import/records.ts'

/** One type of record: the statement that reads it in its order, and a row of it as a record. */
export interface Section {
  type: RecordType
  text: string
  record(row: object): WrittenRecord
}

/** `Row` is what the text selects: text, numbers, booleans, and what JSON lists hold. */
export const section = <Row extends object>(declaration: { type: RecordType; text: string; record(row: Row): WrittenRecord }): Section =>
  declaration

// Members that are at their default become undefined, which JSON leaves out. Keys stand in the order of the format.
export const given = <T>(value: T | null): T | undefined => value ?? undefined
export const unless = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value)

// COLLATE "C" sorts by code point in every database, whatever its locale.
export const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

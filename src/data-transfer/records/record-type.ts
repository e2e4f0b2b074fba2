import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { listStorages } from './storage.ts'
import type { Identifiers, Row, Storage, Target } from './storage.ts'

type RecordSchema = z.ZodObject<z.core.$ZodShape & { type: z.ZodLiteral<string> }>
type Values = Readonly<Record<string, unknown>>

/** A column that is computed from the record and does not contain one member. */
interface ComputedColumn<Schema extends z.ZodType> {
  type: string
  isKey?: boolean
  keep?: string
  value(record: z.output<Schema>): unknown
}

interface Declaration<Schema extends RecordSchema> {
  schema: Schema
  table: string
  /** ORDER BY of the export; `e` is the table, `t` its team and `u` its user. */
  orderBy: string
  /** Condition that restricts the export. */
  where?: string
  /** Members that identify a record to an operator, such as `member EMAIL of SLUG`. */
  subject: readonly (keyof z.output<Schema> & string)[]
  computed?: Readonly<Record<string, ComputedColumn<Schema>>>
  /** Column with the time of the last change of a row. */
  changedAt?: string
}

/** A record to which another record refers. */
export interface RecordReference {
  member: string
  target: Target
  key: string
  /** True if a record with a missing target is an error. */
  isRequired: boolean
}

/** SQL types by column. */
type Columns = Readonly<Record<string, string>>

/** One type of record. Parser, importer, exporter and help text use it and contain nothing specific to a type. */
export interface RecordType<Schema extends RecordSchema = RecordSchema> extends Declaration<Schema> {
  name: string
  members: ReadonlyMap<string, Storage>
  /** Columns of the natural key. */
  keyColumns: Columns
  otherColumns: Columns
  /** Columns that do not change if the member is absent, with the SQL expression of their value in a new row. */
  keptColumns: Columns
  /** Returns the natural key as text, unique among records of all types. */
  getKey(record: z.output<Schema>): string
  listReferences(record: z.output<Schema>): RecordReference[]
  toRow(record: z.output<Schema>, identifiers: Identifiers): Row
  /** Converts a row of the export's query to a record, with its members in the order of the schema. */
  toRecord(row: Values): object
  /** Returns a name for a possibly invalid record, for operators: `invoice ACME-0042`. */
  getSubject(record: Values): string
}

/** Declares a record type. The rest of its properties are derived from the schema. */
export function recordType<Schema extends RecordSchema>(declaration: Declaration<Schema>): RecordType<Schema> {
  const { schema, computed = {}, subject } = declaration
  const name = schema.shape.type.value
  const members = listStorages(schema)
  const columns = [
    ...[...members.values()].flatMap(({ columns, isKey, keep }) =>
      Object.entries(columns).map(([column, type]) => ({ column, type, isKey, keep })),
    ),
    ...Object.entries(computed).map(([column, { type, isKey, keep }]) => ({ column, type, isKey, keep })),
  ]
  const listTypes = (list: typeof columns) => Object.fromEntries(list.map(({ column, type }) => [column, type]))
  const keyMembers = [...members].flatMap(([member, { isKey }]) => (isKey ? [member] : []))
  const keyDerived = Object.values(computed).filter(({ isKey }) => isKey)
  return {
    ...declaration,
    name,
    members,
    keyColumns: listTypes(columns.filter(({ isKey }) => isKey)),
    otherColumns: listTypes(columns.filter(({ isKey }) => !isKey)),
    keptColumns: Object.fromEntries(columns.flatMap(({ column, keep }) => (keep === undefined ? [] : [[column, keep]]))),
    getKey: (record) => [name, ...keyMembers.map((member) => record[member]), ...keyDerived.map(({ value }) => value(record))].join(' '),
    listReferences: (record) => [...members].flatMap(([member, storage]) => references(member, storage, record[member])),
    toRow(record, identifiers) {
      const row: Record<string, unknown> = {}
      for (const [member, storage] of members) {
        const value = record[member] ?? (storage.keep === undefined ? storage.default : undefined)
        if (value !== undefined || storage.convertsAbsent) Object.assign(row, storage.toColumns(value, identifiers))
      }
      for (const [column, { value }] of Object.entries(computed)) row[column] = value(record)
      return row
    },
    toRecord(row) {
      const record: Record<string, unknown> = { type: name }
      for (const [member, storage] of members) {
        const value = row[member] ?? undefined
        if (value !== undefined && !isDeepStrictEqual(value, storage.default)) record[member] = value
      }
      return record
    },
    getSubject: (record) => `${name} ${subject.map((member) => shortText(record[member])).join(' of ')}`,
  }
}

function references(member: string, storage: Storage, value: unknown): RecordReference[] {
  const { reference, referenceList, isRequired = false } = storage
  if (typeof value === 'string' && reference) return [{ member, target: reference, key: value, isRequired: true }]
  if (!Array.isArray(value) || !referenceList) return []
  return value.map((key) => ({ member, target: referenceList, key: String(key), isRequired }))
}

const shortText = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : '?')

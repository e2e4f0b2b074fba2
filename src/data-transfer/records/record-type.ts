import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { storagesOf } from './storage.ts'
import type { Identifiers, Row, Storage, Target } from './storage.ts'

type RecordSchema = z.ZodObject<z.core.$ZodShape & { type: z.ZodLiteral<string> }>
type Values = Readonly<Record<string, unknown>>

/** A column that is computed from the record instead of holding one member. */
interface Derived<Schema extends z.ZodType> {
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
  /** Restricts the export. */
  where?: string
  /** Members that identify a record to an operator, such as `member EMAIL of SLUG`. */
  subject: readonly (keyof z.output<Schema> & string)[]
  derived?: Readonly<Record<string, Derived<Schema>>>
  /** The column that records when a row was last changed. */
  changedAt?: string
}

/** A record that another record refers to. */
export interface RecordReference {
  member: string
  target: Target
  key: string
  /** Whether a record with a missing target is an error. */
  isRequired: boolean
}

/** SQL types by column. */
type Columns = Readonly<Record<string, string>>

/** One type of record. Parser, importer, exporter and help text use it and know nothing else about the type. */
export interface RecordType<Schema extends RecordSchema = RecordSchema> extends Declaration<Schema> {
  name: string
  members: ReadonlyMap<string, Storage>
  /** Columns of the natural key. */
  keyColumns: Columns
  otherColumns: Columns
  /** Columns that an absent member leaves unchanged, with the SQL expression of their value in a new row. */
  keptColumns: Columns
  /** The natural key as text; unique among records of all types. */
  keyOf(record: z.output<Schema>): string
  referencesOf(record: z.output<Schema>): RecordReference[]
  toRow(record: z.output<Schema>, identifiers: Identifiers): Row
  /** A row of the export's query as a record, its members in the order of the schema. */
  toRecord(row: Values): object
  /** Names a record, possibly an invalid one, to an operator: `invoice ACME-0042`. */
  subjectOf(record: Values): string
}

/** Declares a record type. The rest of its properties are derived from the schema. */
export function recordType<Schema extends RecordSchema>(declaration: Declaration<Schema>): RecordType<Schema> {
  const { schema, derived = {}, subject } = declaration
  const name = schema.shape.type.value
  const members = storagesOf(schema)
  const columns = [
    ...[...members.values()].flatMap(({ columns, isKey, keep }) =>
      Object.entries(columns).map(([column, type]) => ({ column, type, isKey, keep })),
    ),
    ...Object.entries(derived).map(([column, { type, isKey, keep }]) => ({ column, type, isKey, keep })),
  ]
  const typesOf = (list: typeof columns) => Object.fromEntries(list.map(({ column, type }) => [column, type]))
  const keyMembers = [...members].flatMap(([member, { isKey }]) => (isKey ? [member] : []))
  const keyDerived = Object.values(derived).filter(({ isKey }) => isKey)
  return {
    ...declaration,
    name,
    members,
    keyColumns: typesOf(columns.filter(({ isKey }) => isKey)),
    otherColumns: typesOf(columns.filter(({ isKey }) => !isKey)),
    keptColumns: Object.fromEntries(columns.flatMap(({ column, keep }) => (keep === undefined ? [] : [[column, keep]]))),
    keyOf: (record) => [name, ...keyMembers.map((member) => record[member]), ...keyDerived.map(({ value }) => value(record))].join(' '),
    referencesOf: (record) => [...members].flatMap(([member, storage]) => references(member, storage, record[member])),
    toRow(record, identifiers) {
      const row: Record<string, unknown> = {}
      for (const [member, storage] of members) {
        const value = record[member] ?? (storage.keep === undefined ? storage.default : undefined)
        if (value !== undefined || storage.convertsAbsent) Object.assign(row, storage.toColumns(value, identifiers))
      }
      for (const [column, { value }] of Object.entries(derived)) row[column] = value(record)
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
    subjectOf: (record) => `${name} ${subject.map((member) => shortText(record[member])).join(' of ')}`,
  }
}

function references(member: string, storage: Storage, value: unknown): RecordReference[] {
  const { reference, referenceList, isRequired = false } = storage
  if (typeof value === 'string' && reference) return [{ member, target: reference, key: value, isRequired: true }]
  if (!Array.isArray(value) || !referenceList) return []
  return value.map((key) => ({ member, target: referenceList, key: String(key), isRequired }))
}

const shortText = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : '?')

import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { buildEntries } from '../../../src/data-transfer/import/event-entries.ts'
import { recordTypeNames, recordTypes } from '../../../src/data-transfer/records/record-types.ts'
import { columnsNotAudited, tablesNotAudited } from '../../support/data/records/stored-columns.ts'

/** Two values of each SQL type. */
const values: Readonly<Record<string, readonly [unknown, unknown]>> = {
  text: ['a', 'b'],
  'text[]': [['a'], ['b']],
  bytea: ['a', 'b'],
  uuid: ['a', 'b'],
  'uuid[]': [['a'], ['b']],
  boolean: [false, true],
  int: [1, 2],
  bigint: [1, 2],
  date: ['2026-01-01', '2026-01-02'],
  timestamptz: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
  '"Application"': ['cert', 'flow'],
  '"Application"[]': [['cert'], ['flow']],
  '"InvoiceStatus"': ['open', 'uncollectible'],
  '"Role"': ['member', 'billing'],
}

test.each(recordTypeNames)('a change of each column of a record of type %s is audited by an import, or listed', (name) => {
  const { table, keyColumns, otherColumns } = recordTypes[name]
  const valueOf = (type: string, index: 0 | 1) => values[type]?.[index] ?? 'a'
  const before = Object.fromEntries(Object.entries({ ...keyColumns, ...otherColumns }).map(([column, type]) => [column, valueOf(type, 0)]))
  const isAudited = ([column, type]: [string, string]) => {
    const entries = buildEntries[name]?.({ id: 'id', row: { ...before, [column]: valueOf(type, 1) }, before }) ?? []
    return entries.some((entry) => !isDeepStrictEqual(entry.before, entry.after))
  }
  const unaudited = Object.entries(otherColumns).filter((column) => !isAudited(column))
  const listed = Object.hasOwn(tablesNotAudited, table) ? Object.keys(otherColumns) : Object.keys(columnsNotAudited[table] ?? {})
  expect(unaudited.map(([column]) => column).toSorted()).toEqual(listed.toSorted())
})

test('tables and columns that are not audited exist', () => {
  const types = Object.values(recordTypes)
  expect(Object.keys(tablesNotAudited).filter((table) => !types.some((type) => type.table === table))).toEqual([])
  expect(Object.keys(columnsNotAudited).filter((table) => !types.some((type) => type.table === table))).toEqual([])
})

import type { RecordType } from '../records/record-type.ts'

/** Creates the query that reads all records of a type in their order: one column per exported member. */
export function exportStatement({ members, table, where, orderBy }: RecordType): string {
  const columns = [...members].flatMap(([member, { select }]) => (select ? [`${select('e')} AS "${member}"`] : []))
  const joins = [...members.values()].flatMap(({ reference, columns: stored }) => {
    const [column] = Object.keys(stored)
    if (reference === 'team') return [`LEFT JOIN teams t ON t.id = e.${column}`]
    return reference === 'user' ? [`LEFT JOIN users u ON u.id = e.${column}`] : []
  })
  // COLLATE "C" in `orderBy` sorts by code point, whatever the locale of the database.
  return `SELECT ${columns.join(', ')} FROM ${table} e ${joins.join(' ')} ${where ? `WHERE ${where}` : ''} ORDER BY ${orderBy}`
}

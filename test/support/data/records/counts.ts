import { recordTypeNames } from '../../../../src/data-transfer/records/record-types.ts'
import type { RecordTypeName } from '../../../../src/data-transfer/records/record-types.ts'

/** Numbers of records by type: read, created, updated and unchanged. */
export type Counts = Partial<Record<RecordTypeName, [read: number, created: number, updated: number, unchanged: number]>>
/** The output of an import with `--json`. */
export const summary = (counts: Counts, wrong = 0) => ({
  records: Object.fromEntries(
    recordTypeNames.map((type) => {
      const [read, created, updated, unchanged] = counts[type] ?? [0, 0, 0, 0]
      return [type, { read, created, updated, unchanged }]
    }),
  ),
  wrong,
})
/** Returns the import counts for the records of `everything`: all created (1) or all unchanged (0). */
export const all = (created: 0 | 1): Counts => {
  const count = (n: number): [number, number, number, number] => (created ? [n, n, 0, 0] : [n, 0, 0, n])
  return {
    user: count(2),
    team: count(1),
    member: count(2),
    app: count(1),
    invoice: count(1),
    token: count(2),
    client: count(1),
    webhook: count(1),
    domain: count(1),
    identity_provider: count(1),
    group_role: count(1),
    linked_identity: count(2),
  }
}

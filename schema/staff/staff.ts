import { builder } from '../builder/builder.ts'
import { staffOnly } from '../core/requires.ts'
import { auditReading } from './audit-reading.ts'

/** The parent of lists of all teams and users. They have no owner, but declared lists need the identifier of one. */
export interface Staff {
  id: string
}
const everything: Staff = { id: '00000000-0000-0000-0000-000000000000' }

export const StaffType = builder.objectRef<Staff>('Staff').implement({
  description:
    'What staff can read: users, teams, clients, tokens and audit entries of all teams. Each field that is selected here writes an ' +
    'audit entry with its arguments and what it selects.',
})

builder.queryField('staff', (t) =>
  t.field({
    description: 'The data that staff can read. For everyone else, the field fails with `not_found`.',
    type: StaffType,
    requires: staffOnly,
    complexity: 100,
    resolve: async (_, __, context, info) => {
      await auditReading(context, info)
      return everything
    },
  }),
)

/** The cost of a list in an external document, besides its rows: some searches read the whole table. */
export const searchCost = 500

/** Builds FROM of a list without an owner. */
export const selectAllRows = (table: string) => (owner: string) => `FROM ${table} r WHERE ${owner} IS NOT NULL`

import { z } from 'zod'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { unknownAccount, UserPayload } from '../accounts/user.ts'
import { builder } from '../builder/builder.ts'
import { change, difference } from '../core/audit/audit.ts'
import { lockAccount } from '../core/database/locks.ts'
import { operatorOnly } from '../core/requires.ts'
import { findStaffRole, staffRoles } from '../core/staff/staff-role.ts'
import { emailAddress, parse } from '../core/validation.ts'
import { StaffRoleType } from '../builder/staff-role-type.ts'

const SetStaffInput = builder.inputType('SetStaffInput', {
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address of the account.' }),
    isStaff: t.boolean({ required: true, describedBy: 'User.staff' }),
    role: t.field({ type: StaffRoleType, description: 'The role of a user who is staff. Default: READER.' }),
  }),
})
const rules = z
  .object({ email: emailAddress, isStaff: z.boolean(), role: z.enum(staffRoles).nullish() })
  .refine(({ isStaff, role }) => isStaff || role == null, {
    path: ['role'],
    message: 'The :attribute field must be absent for a user who is not staff.',
  })

builder.mutationField('setStaff', (t) =>
  t.field({
    description: 'Adds a user to the staff, changes their role, or removes them, from the next request on. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: SetStaffInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { email, isStaff: staff, role } = parse(rules, input)
      const staffRole = staff ? (role ?? 'reader') : null
      return change(context, info, async (transaction) => {
        const current = await lockAccount(transaction, { email })
        if (!current) throw unknownAccount()
        const { id, name: subjectName } = current
        const changed = difference({ staff: current.staff, staffRole: findStaffRole(current) }, { staff, staffRole })
        const data = { staff, staffRole, updatedAt: context.now() }
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'users', { id }, data))
        return { result: { user: changed.isUnchanged ? current : { ...current, ...data } }, subject: id, subjectName, ...changed }
      })
    },
  }),
)

import { z } from 'zod'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { change, difference } from '../core/audit.ts'
import { lockCaller } from '../core/database/locks.ts'
import { sessionOnly } from '../core/requires.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { parse } from '../core/validation.ts'
import { DateFormatType, profileRules } from './profile.ts'
import { UserPayload } from './user.ts'

const UpdateProfileInput = builder.inputType('UpdateProfileInput', {
  description: 'The input of `updateProfile`; an absent field stays as it is.',
  fields: (t) => ({
    name: t.string({ describedBy: 'User.name' }),
    timezone: t.string({ describedBy: 'User.timezone' }),
    dateFormat: t.field({ type: DateFormatType, describedBy: 'User.dateFormat' }),
  }),
})
const rules = z.object(profileRules).partial()

builder.mutationField('updateProfile', (t) =>
  t.field({
    description: 'Changes the name of the signed-in user, and how pages and emails show times to them.',
    type: UserPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: UpdateProfileInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const data = parse(rules, input)
      return change(context, info, async (transaction) => {
        const before = await lockCaller(transaction, requirePerson(context).user.id)
        const { name, timezone, dateFormat } = before
        const changed = difference({ name, timezone, dateFormat }, data)
        if (changed.isUnchanged) return { result: { user: before }, subject: before.id, ...changed }
        const updated = { ...data, updatedAt: context.now() }
        transaction.defer(updateRows(transaction, 'users', { id: before.id }, updated))
        return { result: { user: { ...before, ...updated } }, subject: before.id, ...changed }
      })
    },
  }),
)

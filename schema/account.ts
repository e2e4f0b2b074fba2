import { z } from 'zod'
import { deleteAccountOf } from './account-deletion.ts'
import { lockEnabledAccount } from './account-lock.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import { unauthenticated } from './errors.ts'
import { sessionPerson } from './reach.ts'
import { recentSession, sessionOnly } from './requires.ts'
import { UserPayload } from './user.ts'
import { displayName, parse } from './validation.ts'

const UpdateProfileInput = builder.inputType('UpdateProfileInput', {
  fields: (t) => ({ name: t.string({ required: true, description: 'The name others see.' }) }),
})
const profileRules = z.object({ name: displayName })

builder.mutationFields((t) => ({
  updateProfile: t.field({
    description: 'Changes what others see of the person.',
    type: UserPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: UpdateProfileInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { name } = parse(profileRules, input)
      return change(context, info, async (transaction) => {
        const before = await lockEnabledAccount(transaction, { id: sessionPerson(context).user.id })
        if (!before) throw unauthenticated()
        const user = await transaction.user.update({ where: { id: before.id }, data: { name } })
        return { result: { user }, subject: user.id, before: { name: before.name }, after: { name } }
      })
    },
  }),
  deleteAccount: t.field({
    description: 'Deletes the person’s own account with its memberships and tokens; refused while it is a team’s last owner.',
    type: UserPayload,
    requires: recentSession,
    resolve: (_, __, context, info) =>
      change(context, info, async (transaction) => {
        const { id } = sessionPerson(context).user
        const user = await transaction.user.findUnique({ where: { id } })
        const endedSessions = user && (await deleteAccountOf(transaction, id))
        if (!endedSessions) throw unauthenticated()
        return { result: { user }, subject: id, before: { email: user.email, name: user.name }, endedSessions }
      }),
  }),
}))

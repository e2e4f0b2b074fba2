import { z } from 'zod'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { lockCaller } from '../../core/database/locks.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { recentSession } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { parse } from '../../core/validation.ts'
import { endUserSessions } from '../end-sessions.ts'
import { passwordChanged, revokePersonalTokensField } from './password-changed.ts'
import { hashingComplexity, hashNewPassword, password } from './password.ts'
import { UserPayload } from '../user.ts'

const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  fields: (t) => ({
    newPassword: t.string({ required: true, description: 'The new password.' }),
    revokePersonalTokens: t.boolean(revokePersonalTokensField),
  }),
})
const changeRules = z.object({ newPassword: password })

builder.mutationFields((t) => ({
  changePassword: t.field({
    description: 'Sets a new password, or the first one, after a recent sign-in. Ends every other session.',
    type: UserPayload,
    complexity: hashingComplexity,
    requires: recentSession,
    args: { input: t.arg({ type: ChangePasswordInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { user: caller, credentialId } = requirePerson(context)
      const { newPassword } = parse(changeRules, input)
      const passwordHash = await hashNewPassword(context, 'newPassword', newPassword, caller)
      return change(context, info, async (transaction) => {
        const data = { passwordHash, updatedAt: context.now() }
        const user = { ...(await lockCaller(transaction, caller.id)), ...data }
        transaction.defer(updateRows(transaction, 'users', { id: user.id }, data))
        const endedSessions = await endUserSessions(transaction, user.id, credentialId)
        const revokesTokens = input.revokePersonalTokens === true
        const audited = await passwordChanged(transaction, context, user, { endsSessions: true, revokesTokens })
        return { result: { user }, subject: user.id, after: { sessionsEnded: endedSessions.length, ...audited }, endedSessions }
      })
    },
  }),
}))

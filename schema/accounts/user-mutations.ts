import { z } from 'zod'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import { lockAccount } from '../core/database/locks.ts'
import { change, difference } from '../core/audit/audit.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { adminOnly, operatorOnly } from '../core/requires.ts'
import { displayName, mailAddress, parse, unlessTaken } from '../core/validation.ts'
import { endAccountSupport } from './end-sessions.ts'
import { deleteUserAccount } from './deletion/deletion.ts'
import { hashNewPassword, password } from './passwords/password.ts'
import { isPendingDeletion } from './deletion/pending-deletion.ts'
import { findUser, unknownAccount, UserInput, UserPayload, userRules } from './user.ts'

const CreateUserInput = builder.inputType('CreateUserInput', {
  fields: (t) => ({
    email: t.string({ required: true, description: 'The email address. It is stored in lower case and must be unique.' }),
    name: t.string({ required: true, describedBy: 'User.name' }),
    password: t.string({ description: 'The password. Absent: the account has none.' }),
    emailVerified: t.boolean({ description: 'Whether the email address is verified already.' }),
  }),
})
const createRules = z.object({
  email: mailAddress,
  name: displayName,
  password: password.nullish(),
  emailVerified: z.boolean().nullish().transform(Boolean),
})

builder.mutationFields((t) => ({
  createUser: t.field({
    description: 'Creates an account. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: CreateUserInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { email, name, emailVerified, password } = parse(createRules, input)
      const passwordHash = password ? await hashNewPassword(context, 'password', password, { name, email }) : null
      return change(context, info, async (transaction) => {
        const at = context.now()
        const data = { email, name, emailVerified, passwordHash, createdAt: at, updatedAt: at }
        const [, user] = await Promise.all([
          unlessTaken('email', insertRow(transaction, 'users', data)),
          lockAccount(transaction, { email }),
        ])
        if (!user) throw new Error('the account that was created does not exist')
        return { result: { user }, subject: user.id, after: { email, name, emailVerified, password: passwordHash !== null } }
      })
    },
  }),
  disableUser: t.field({
    description: 'Disables an account: its credentials are rejected from the next request on. For operators and staff.',
    type: UserPayload,
    requires: adminOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, (disabledAt) => disabledAt ?? context.now()),
  }),
  enableUser: t.field({
    description: 'Enables a disabled account, and cancels its deletion. For operators and staff.',
    type: UserPayload,
    requires: adminOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, () => null),
  }),
  deleteUser: t.field({
    description:
      'Deletes an account with its memberships and personal tokens; refused while it is the last owner of a team. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = await findUser(context.database, input)
      return change(context, info, async (transaction) => {
        const deleted = await deleteUserAccount(transaction, context, id)
        if (!deleted) throw unknownAccount()
        const { user, endedSessions } = deleted
        return { result: { user }, subject: id, before: { email: user.email, name: user.name }, endedSessions }
      })
    },
  }),
}))

async function setDisabled(context: Context, info: { fieldName: string }, input: unknown, next: (disabledAt: Date | null) => Date | null) {
  const { email } = parse(userRules, input)
  return change(context, info, async (transaction) => {
    // The account is locked, so that it is not deleted meanwhile and the audit entry has the value that was replaced.
    const current = await lockAccount(transaction, { email })
    if (!current) throw unknownAccount()
    const { id } = current
    // An account whose user deletes it counts as enabled here, so that an operator can disable it: then no sign-in restores it.
    const disabledAt = isPendingDeletion(current) ? null : current.disabledAt
    const after = next(disabledAt)
    const before = { disabled: disabledAt !== null, deleted: current.deletionRequestedAt !== null }
    const changed = difference(before, { disabled: after !== null, deleted: after !== null && before.deleted })
    const data = { disabledAt: after, updatedAt: context.now(), ...(after === null && { deletionRequestedAt: null }) }
    if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'users', { id }, data))
    // Otherwise it would be open again after `enableUser`.
    if (after !== null) endAccountSupport(transaction, id)
    const user = changed.isUnchanged ? current : { ...current, ...data }
    return { result: { user }, subject: id, accountId: id, ...changed }
  })
}

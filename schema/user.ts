import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import { deleteAccountOf } from './account-deletion.ts'
import { lockAccount } from './account-lock.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { invalid } from './errors.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { hashPassword, password } from './password.ts'
import { operatorOnly } from './requires.ts'
import { displayName, emailAddress, parse, unlessTaken } from './validation.ts'

export const UserType = builder.prismaObject('User', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    emailVerified: t.exposeBoolean('emailVerified'),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
})

builder.queryField('users', (t) =>
  t.field({
    description: 'All accounts, by e-mail address. For operators.',
    type: pageType('UserPage', UserType),
    complexity: listComplexity,
    requires: operatorOnly,
    args: pageArguments,
    resolve: async (_, args, { database: { prisma } }) => {
      const { page, perPage, offset } = slice(args)
      const [total, nodes] = await Promise.all([
        prisma.user.count(),
        prisma.user.findMany({ orderBy: { email: 'asc' }, skip: offset, take: perPage }),
      ])
      return { nodes, total, page, perPage }
    },
  }),
)

builder.queryField('user', (t) =>
  t.field({
    description: 'One account. For operators.',
    type: UserType,
    requires: operatorOnly,
    args: { email: t.arg.string({ required: true, description: 'E-mail address of the account.' }) },
    resolve: (_, { email }, context) => findUser(context.database.prisma, { email }),
  }),
)

export const UserPayload = builder.objectRef<{ user: typeof UserType.$inferType }>('UserPayload').implement({
  description: 'An account as it is after the change, or was before the deletion.',
  fields: (t) => ({ user: t.expose('user', { type: UserType, description: 'The account.' }) }),
})

const CreateUserInput = builder.inputType('CreateUserInput', {
  fields: (t) => ({
    email: t.string({ required: true, description: 'The e-mail address; it becomes unique in lower case.' }),
    name: t.string({ required: true, description: 'The name others see.' }),
    password: t.string({ description: 'The password; absent: none can sign in with.' }),
    emailVerified: t.boolean({ description: 'Whether the address is known to be theirs.' }),
  }),
})
const createRules = z.object({
  email: emailAddress,
  name: displayName,
  password: password.nullish(),
  emailVerified: z.boolean().nullish().transform(Boolean),
})

/** Which account an operator means. */
export const UserInput = builder.inputType('UserInput', {
  fields: (t) => ({ email: t.string({ required: true, description: 'E-mail address of the account.' }) }),
})
const userRules = z.object({ email: emailAddress })

const unknownAccount = () => invalid({ email: ['The selected email is invalid.'] })

/** The account that is meant; throws `validation_failed` where there is none. */
export async function findUser(prisma: Transaction, input: unknown) {
  const user = await prisma.user.findUnique({ where: parse(userRules, input) })
  if (!user) throw unknownAccount()
  return user
}

builder.mutationFields((t) => ({
  createUser: t.field({
    description: 'Creates an account. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: CreateUserInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { email, name, emailVerified, password } = parse(createRules, input)
      const passwordHash = password ? await hashPassword(password) : null
      return change(context, info, async (transaction) => {
        const at = context.now()
        const data = { email, name, emailVerified, passwordHash, createdAt: at, updatedAt: at }
        const user = await unlessTaken('email', transaction.user.create({ data }))
        return { result: { user }, subject: user.id, after: { email, name, emailVerified, password: passwordHash !== null } }
      })
    },
  }),
  disableUser: t.field({
    description: 'Disables an account: its credentials open nothing from the next request on. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, (present) => present ?? context.now()),
  }),
  enableUser: t.field({
    description: 'Enables a disabled account again. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, () => null),
  }),
  deleteUser: t.field({
    description: 'Deletes an account with its memberships and personal tokens; refused while it is a team’s last owner. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const user = await findUser(context.database.prisma, input)
      return change(context, info, async (transaction) => {
        const endedSessions = await deleteAccountOf(transaction, user.id)
        if (!endedSessions) throw unknownAccount()
        return { result: { user }, subject: user.id, before: { email: user.email, name: user.name }, endedSessions }
      })
    },
  }),
}))

async function setDisabled(context: Context, info: { fieldName: string }, input: unknown, next: (present: Date | null) => Date | null) {
  const { email } = parse(userRules, input)
  return change(context, info, async (transaction) => {
    // Locked, so that it neither vanishes meanwhile nor is told with another's old value.
    const found = await lockAccount(transaction, { email })
    if (!found) throw unknownAccount()
    const { id, disabledAt } = found
    const after = next(disabledAt)
    const user = await transaction.user.update({ where: { id }, data: { disabledAt: after } })
    return { result: { user }, subject: id, before: { disabled: disabledAt !== null }, after: { disabled: after !== null } }
  })
}

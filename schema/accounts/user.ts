import { z } from 'zod'
import type { Database } from '../../prisma/connection/database.ts'
import type { User } from '../../prisma/generated/client/client.ts'
import { readRows, userColumns } from '../../prisma/statement/read-row.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { pictureFiles, pictureUrl } from '../pictures/picture-url.ts'
import { DateFormatType } from './profile.ts'
import { listComplexity, loadPage, pageArguments, pageType } from '../builder/pagination.ts'
import { operatorOnly, staffOnly } from '../core/requires.ts'
import { reasonField } from '../core/staff/staff-acts.ts'
import { findStaffRole } from '../core/staff/staff-role.ts'
import { emailAddress, parse, refused, invalidChoice } from '../core/validation.ts'
import { StaffRoleType } from '../builder/staff-role-type.ts'

export const UserType = builder.prismaObject('User', {
  fields: (t) => ({
    userId: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    emailVerified: t.exposeBoolean('emailVerified'),
    pictureUrl: t.string({
      description: `URL of the user’s picture, ${pictureFiles}`,
      nullable: true,
      resolve: ({ pictureId }, _, context) => pictureUrl(context, pictureId),
    }),
    timezone: t.exposeString('timezone', { nullable: true }),
    dateFormat: t.expose('dateFormat', { type: DateFormatType }),
    isStaff: t.exposeBoolean('staff', { describedBy: 'User.staff', requires: staffOnly }),
    staffRole: t.field({ type: StaffRoleType, nullable: true, describedBy: 'User.staffRole', requires: staffOnly, resolve: findStaffRole }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    deletionRequestedAt: t.expose('deletionRequestedAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
})

export const UserPageType = pageType('UserPage', UserType)

const countUsers = statement<{ count: number }, []>('count_users', 'SELECT count(*) AS count FROM users')
const usersPage = `SELECT ${userColumns} FROM users u ORDER BY email LIMIT $1 OFFSET $2`

builder.queryField('users', (t) =>
  t.field({
    description: 'All accounts, ordered by email address. For operators.',
    type: UserPageType,
    complexity: listComplexity,
    requires: operatorOnly,
    args: pageArguments,
    resolve: (_, args, { database: { pool } }) =>
      loadPage(args, {
        count: () => countUsers(pool),
        find: (limit, offset) => readRows<User>(pool, 'users_page', usersPage, [limit, offset]),
      }),
  }),
)

builder.queryField('user', (t) =>
  t.field({
    description: 'One account. For operators.',
    type: UserType,
    requires: operatorOnly,
    args: { email: t.arg.string({ required: true, description: 'Email address of the account.' }) },
    resolve: (_, { email }, context) => findUser(context.database, { email }),
  }),
)

export const UserPayload = payloadType<{ user: typeof UserType.$inferType }>('UserPayload', {
  description: 'An account after the change, or before its deletion.',
  fields: (t) => ({ user: t.expose('user', { type: UserType, description: 'The account.' }) }),
})

/** The input that identifies an account for an operator. */
export const UserInput = builder.inputType('UserInput', {
  fields: (t) => ({ email: t.string({ required: true, description: 'Email address of the account.' }), reason: t.string(reasonField) }),
})
export const userRules = z.object({ email: emailAddress })

export const unknownAccount = () => refused({ email: [invalidChoice] })

/** Finds the account of an operator's input. Throws `validation_failed` if there is none. */
export async function findUser({ prisma }: Database, input: unknown) {
  const user = await prisma.user.findUnique({ where: parse(userRules, input) })
  if (!user) throw unknownAccount()
  return user
}

import type { User } from '../../prisma/generated/client/client.ts'
import { UserPageType, UserType } from '../accounts/user.ts'
import { builder } from '../builder/builder.ts'
import { anyContains, searchPattern } from '../builder/search.ts'
import type { Context } from '../core/context.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'
import { loadById } from '../lists/batch.ts'
import { connectionType } from '../lists/connection.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { notFound } from '../core/errors.ts'
import { selectAllRows, searchCost, StaffType } from './staff.ts'

/** A user without secrets. */
export type StaffUserRow = Omit<User, 'passwordHash' | 'totpSecret' | 'totpLastStep'>

/** The columns of a user as a `StaffUserRow`, as far as the fields of the type read them. The argument is the alias of `users`. */
export const listedUserColumns = (user: string): string =>
  `${user}.id, ${user}.email, ${user}.email_verified AS "emailVerified", ${user}.name, ${user}.timezone, ${user}.date_format AS "dateFormat",
    ${user}.picture_id AS "pictureId", ${user}.staff, ${user}.staff_role AS "staffRole", ${user}.disabled_at AS "disabledAt",
    ${user}.deletion_requested_at AS "deletionRequestedAt", ${user}.created_at AS "createdAt", ${user}.updated_at AS "updatedAt"`

type UserOrder = 'email' | 'name' | 'created'
interface UserFilters {
  search?: string | null
  isStaff?: boolean | null | undefined
  isDisabled?: boolean | null | undefined
}

const userList = defineList<StaffUserRow, StaffUserRow, UserOrder, UserFilters>({
  name: 'staff users',
  rows: selectAllRows('users'),
  id: 'r.id',
  columns: listedUserColumns('r'),
  orders: {
    email: { keys: [['r.email', 'text']] },
    name: { keys: [['lower(r.name)', 'text']] },
    created: { keys: [['r.created_at', 'timestamptz']] },
  },
  filters: {
    search: ({ value }) => anyContains(['r.name', 'r.email'], value),
    isStaff: () => 'r.staff',
    isDisabled: () => 'r.disabled_at IS NOT NULL',
  },
  toNode: (row) => row,
})

const OrderType = orderByType('StaffUserOrder', 'users', {
  email: 'The email address.',
  name: 'The name, in upper or lower case.',
  created: 'When the account was created.',
} satisfies Record<UserOrder, string>)

builder.objectFields(StaffType, (t) => ({
  ...listFields(t, 'users', {
    description: 'All users, by default by email address.',
    page: UserPageType,
    connection: connectionType('User', UserType),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no field of the type reads the secrets
    list: userList as never,
    cost: searchCost,
    args: builder.args((t) => ({
      search: t.string({ description: 'Only users whose name or email address contains this text, in upper or lower case.' }),
      isStaff: t.boolean({ description: 'True for users who are staff, false for the others.' }),
      isDisabled: t.boolean({ description: 'True for disabled accounts, false for the others.' }),
      orderBy: t.field({ type: OrderType, description: 'The order; default by email address.' }),
    })),
    query: ({ search, orderBy, ...filters }) => ({
      filters: { ...filters, search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'email' as const, direction: 'asc' as const },
    }),
  }),
  user: t.field({
    description: 'One user.',
    type: UserType,
    args: { id: t.arg.id({ required: true, description: 'The user’s identifier, or the global id.' }) },
    resolve: async (_, { id }, context) => {
      const userId = parseIdentifier(id, ['User', 'Person'])
      const user = isIdentifier(userId) ? await findUserById(context, userId) : null
      if (!user) throw notFound()
      return user
    },
  }),
}))

/** Loads a user, together with all others that fields of the request need at the same time; null if there is none. */
export function findUserById(context: Context, id: string): Promise<User | null> {
  return loadById(context, 'staff user', id, (ids) => context.database.prisma.user.findMany({ where: { id: { in: ids } } }))
}

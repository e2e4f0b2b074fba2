import type { OpenDatabase } from '../../../../prisma/connection/database.ts'
import type { User } from '../../../../prisma/generated/client/client.ts'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { createUser, personalToken } from '../../data/team.ts'

/** Creates a user who is staff. */
export const createStaff = (database: OpenDatabase, data: Partial<User> = {}): Promise<User> =>
  createUser(database, { name: 'Grace', staffRole: 'reader', ...data })

/** Creates a personal token of a user with the scope of staff, and further scopes. */
export const staffToken = (database: OpenDatabase, user: User, ...others: Scope[]): Promise<string> =>
  personalToken(database, user, { scopes: ['acct:staff:read', ...others] })

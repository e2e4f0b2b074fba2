import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { UserDocument } from './document.ts'
import { attributesOfAccount, userNameOfAccount } from './queries.ts'

const upsert = statement<
  object,
  [teamId: string, userId: string, userName: string, externalId: string | null, attributes: string, createdAt: Date | string, now: Date]
>(
  'write_scim_user',
  `INSERT INTO scim_users (team_id, user_id, user_name, external_id, attributes, created_at, updated_at) VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7)
   ON CONFLICT (team_id, user_id) DO UPDATE SET user_name = $3, external_id = $4, attributes = $5::jsonb,
     updated_at = greatest($7, scim_users.updated_at + interval '1 millisecond')`,
)

/** Writes what the directory states of a user. `createdAt` is that of a user whom it states for the first time. */
export function writeUser(
  transaction: Transaction,
  { teamId, userId, createdAt, now }: { teamId: string; userId: string; createdAt: Date | string; now: Date },
  { userName, externalId, displayName, name, emails }: UserDocument,
): void {
  const attributes = JSON.stringify({ displayName, name, emails })
  transaction.defer(upsert(transaction, teamId, userId, userName, externalId, attributes, createdAt, now))
}

const storeMembers = statement<object, [teamId: string, userIds: readonly string[], now: Date]>(
  'store_members_for_directory',
  `INSERT INTO scim_users (team_id, user_id, user_name, attributes, created_at, updated_at)
   SELECT m.team_id, u.id, ${userNameOfAccount}, ${attributesOfAccount}, m.joined_at, $3
   FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND m.user_id = ANY ($2::uuid[]) ON CONFLICT DO NOTHING`,
)

/** Adds SCIM records for members that the directory has not sent yet, so that groups can refer to them. */
export const storeMembersOf = (transaction: Transaction, teamId: string, userIds: readonly string[], now: Date): Promise<object[]> =>
  storeMembers(transaction, teamId, userIds, now)

import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { UserDocument } from './document.ts'
import { attributesOfAccount, userNameOfAccount } from './queries.ts'

const upsert = statement<
  object,
  [
    teamId: string,
    id: string,
    userName: string,
    externalId: string | null,
    attributes: string,
    createdAt: Date | string,
    now: Date,
    accountId: string | null,
  ]
>(
  'write_scim_user',
  `INSERT INTO scim_users (team_id, user_id, account_id, user_name, external_id, attributes, created_at, updated_at)
   VALUES ($1, $2, $8, $3, $4, $5::jsonb, $6, $7)
   ON CONFLICT (team_id, user_id) DO UPDATE SET account_id = $8, user_name = $3, external_id = $4, attributes = $5::jsonb,
     updated_at = greatest($7, scim_users.updated_at + interval '1 millisecond')`,
)

interface StoredUser {
  teamId: string
  id: string
  accountId: string | null
  /** Time of creation of a user whom the directory sends for the first time. */
  createdAt: Date | string
  now: Date
}

/** Writes the directory's values of a user. */
export function writeUser(
  transaction: Transaction,
  { teamId, id, accountId, createdAt, now }: StoredUser,
  { userName, externalId, displayName, name, emails }: UserDocument,
): void {
  const attributes = JSON.stringify({ displayName, name, emails })
  transaction.defer(upsert(transaction, teamId, id, userName, externalId, attributes, createdAt, now, accountId))
}

const storeMembers = statement<object, [teamId: string, userIds: readonly string[], now: Date]>(
  'store_members_for_directory',
  `INSERT INTO scim_users (team_id, user_id, account_id, user_name, attributes, created_at, updated_at)
   SELECT m.team_id, u.id, u.id, ${userNameOfAccount}, ${attributesOfAccount}, m.joined_at, $3
   FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND m.user_id = ANY ($2::uuid[]) ON CONFLICT DO NOTHING`,
)

/** Adds SCIM records for members that the directory has not sent yet, so that groups can refer to them. */
export const saveMembers = (transaction: Transaction, teamId: string, userIds: readonly string[], now: Date): Promise<object[]> =>
  storeMembers(transaction, teamId, userIds, now)

const accountsById = statement<{ id: string }, [teamId: string, userIds: readonly string[]]>(
  'accounts_of_scim_users',
  'SELECT account_id AS id FROM scim_users WHERE team_id = $1 AND user_id = ANY ($2::uuid[]) AND account_id IS NOT NULL',
)

/** Returns the accounts of users, without those who are only invited and have no account yet. */
export const accountsOfUsers = async (transaction: Transaction, teamId: string, userIds: readonly string[]): Promise<string[]> =>
  (await accountsById(transaction, teamId, userIds)).map(({ id }) => id)

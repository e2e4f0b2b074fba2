import type { ClientBase } from 'pg'
import { readRow, userColumns } from '../../../prisma/statement/read-row.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import type { AccessibleTeam } from '../principals.ts'
import { forbidden, unauthenticated } from '../errors.ts'
import { accessibleTeamColumns } from '../team-access/team-columns.ts'

/** An identifier that no account has. */
export const unknownAccountId = '00000000-0000-0000-0000-000000000000'

/** Identifies an account. Use the identifier if the address may change before the lock is taken. */
export type AccountKey = { id: string } | { email: string }

/** Identifies the account of a mailed link by the SHA-256 of the link's secret. */
type LinkKey = { linkHash: Buffer }

/**
 * Locks an account until the transaction ends and reads it, or returns null. Changes of an account and of what depends on
 * it take this lock, so a session or token is created either before or after such a change, never during it.
 */
export function lockAccount(transaction: Transaction, key: AccountKey | LinkKey): Promise<User | null> {
  const { name, condition, value } = getSelection(key)
  return readRow<User>(transaction, name, `SELECT ${userColumns} FROM users u WHERE ${condition} FOR UPDATE`, value)
}

function getSelection(key: AccountKey | LinkKey) {
  if ('id' in key) return { name: 'lock_account_by_id', condition: 'id = $1', value: key.id }
  if ('email' in key) return { name: 'lock_account_by_email', condition: 'email = $1', value: key.email }
  return {
    name: 'lock_account_by_link',
    condition: 'id = (SELECT user_id FROM mail_links WHERE token_hash = $1)',
    value: key.linkHash,
  }
}

/** Like `lockAccount`, but returns null for a disabled account too. */
export async function lockEnabledAccount(transaction: Transaction, key: AccountKey | LinkKey): Promise<User | null> {
  const user = await lockAccount(transaction, key)
  return user?.disabledAt === null ? user : null
}

/** Locks the caller's account. Throws `unauthenticated` if it was disabled or deleted since the request was authenticated. */
export async function lockCaller(transaction: Transaction, id: string): Promise<User> {
  const user = await lockEnabledAccount(transaction, { id })
  if (!user) throw unauthenticated()
  return user
}

/** A locked team, with its version as text. */
export type LockedTeam = AccessibleTeam & { updatedAt: string }

const lockedTeam = statement<LockedTeam, [id: string]>(
  'lock_team',
  `SELECT ${accessibleTeamColumns} FROM teams WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
)

/**
 * Locks the team's row until the transaction ends and reads it. Every change of a team's members, invitations and tokens takes
 * this lock, so what it read stays true until it commits. Throws `team_forbidden` if the team was deleted since the request
 * was authenticated.
 */
export async function lockTeam(transaction: Transaction, teamId: string): Promise<LockedTeam> {
  const [team] = await lockedTeam(transaction, teamId)
  if (!team) throw forbidden('team_forbidden')
  return team
}

/** Locks every team of a user. They are locked in one order, so that two such transactions never deadlock. */
export async function lockUserTeams(transaction: Transaction, userId: string): Promise<void> {
  const text = 'SELECT 1 FROM teams WHERE id IN (SELECT team_id FROM members WHERE user_id = $1) ORDER BY id FOR UPDATE'
  await transaction.query({ name: 'lock_teams_of', text, values: [userId] })
}

/**
 * Locks several teams for an import. NO KEY, because the foreign keys of other transactions hold the rows in KEY SHARE
 * and would make this statement wait for them.
 */
export async function lockTeamsById(session: ClientBase, teamIds: readonly unknown[]): Promise<void> {
  await session.query('SELECT 1 FROM teams WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [teamIds])
}

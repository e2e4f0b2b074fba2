import { randomUUID } from 'node:crypto'
import type { User } from '../../../prisma/generated/client/client.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { isPendingDeletion } from '../../accounts/deletion/pending-deletion.ts'
import { moveAddress } from '../../accounts/email/move-address.ts'
import { replaceUnverified } from '../../accounts/email/replace-unverified.ts'
import type { Context } from '../../core/context.ts'
import type { EndedSession } from '../../core/ports.ts'
import { lockAccount } from '../../core/database/locks.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { isTaken } from '../../core/errors.ts'
import { findRemovedByAddress, isRemovedRecord } from '../../members/directory/removed-people.ts'
import { isRenamed } from '../../members/directory/stated-addresses.ts'
import { notUnique } from '../protocol/error.ts'
import { getAccountName } from './document.ts'
import type { UserDocument } from './document.ts'
import { findUserOfAccount } from './queries.ts'
import type { UserRow } from './queries.ts'
import { toUserDocument } from './resource.ts'

/** The properties of a new user in the directory. */
interface NewUser {
  team: LockedTeam
  document: UserDocument
  address: string
}

/** The account of a user whom the directory adds. */
export interface AccountOfUser {
  account: { id: string; name: string }
  /** The user of the directory to whom the account already belongs, or null. */
  user: UserRow | null
  /** The sessions of the replaced account. */
  endedSessions: readonly EndedSession[]
}

/** Finds the account of a new user by the address, or creates one, even if the address may have been given to another person. */
export async function findOrCreateAccount(transaction: Transaction, context: Context, added: NewUser): Promise<AccountOfUser> {
  const { team, document, address } = added
  const current = await lockAccount(transaction, { email: address })
  const create = () => createAccount(transaction, context, added)
  if (!current) return { account: await create(), user: null, endedSessions: [] }
  const user = await findUserOfAccount(transaction, team.id, current.id)
  const isFormer = user ? isFormerUser(user, current, document) : await isDeletedUser(transaction, team, current, document)
  if (!isFormer && (user || current.emailVerified)) return { account: current, user, endedSessions: [] }
  if (current.disabledAt && !isPendingDeletion(current)) throw notUnique(`There is a disabled account with the address ${address}.`)
  if (isFormer) {
    const account = await moveAddress(transaction, context, { from: current, team, create, actor: () => context.principal })
    return { account, user: null, endedSessions: [] }
  }
  // The creator of the account may not own the address, but the team owns its domain.
  const { created, endedSessions } = await replaceUnverified(transaction, context, current, create)
  return { account: created, user: null, endedSessions }
}

/** Returns true if a deactivated or renamed user had the address of a new one. An equal directory identifier means the same person. */
const isFormerUser = (user: UserRow, { email }: Pick<User, 'email'>, { externalId }: UserDocument): boolean =>
  (user.externalId === null || user.externalId !== externalId) && (!user.active || isRenamed(toUserDocument(user), email))

/** Returns true if the address belongs to a user whom the directory deleted. */
async function isDeletedUser(
  transaction: Transaction,
  { id: teamId }: LockedTeam,
  { id, email }: Pick<User, 'id' | 'email'>,
  { externalId }: UserDocument,
): Promise<boolean> {
  if ((await findRemovedByAddress(transaction, teamId, email)) !== id) return false
  return externalId === null || !(await isRemovedRecord(transaction, teamId, id, externalId))
}

async function createAccount(
  transaction: Transaction,
  context: Context,
  { team, document, address }: NewUser,
): Promise<AccountOfUser['account']> {
  const at = context.now()
  const account = { id: randomUUID(), name: getAccountName(document, address) }
  const row = { ...account, email: address, emailVerified: true, createdByTeamId: team.id, createdAt: at, updatedAt: at }
  try {
    await insertRow(transaction, 'users', row)
  } catch (error) {
    if (isTaken(error)) throw notUnique(`An account with the address ${address} was created at the same time.`)
    throw error
  }
  return account
}

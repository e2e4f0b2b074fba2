import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import type { EndedSession } from '../../core/ports.ts'
import { lockTeam } from '../../core/database/locks.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { requireVersion } from '../../core/errors.ts'
import { hasAddress } from '../../core/mails/placeholder-address.ts'
import { forgetRemoval, rememberRemoval } from '../../members/directory/removed-people.ts'
import { statedAddresses } from '../../members/directory/stated-addresses.ts'
import type { JsonObject } from '../protocol/attribute.ts'
import { notUnique, resourceNotFound } from '../protocol/error.ts'
import { inviteFromDirectory } from '../../invitations/invite.ts'
import { findOrCreateAccount } from './account.ts'
import type { AccountOfUser } from './account.ts'
import { getAddress, readUser } from './document.ts'
import type { UserDocument } from './document.ts'
import { addToTeam, isOwnAddress, removeFromTeam } from './user-membership.ts'
import { findInvitedUser, findScimUser, isNameTaken } from './queries.ts'
import type { UserRow } from './queries.ts'
import { toUserDocument, userResource } from './resource.ts'
import { writeUser } from './stored-user.ts'

/** The team of the caller, and the URL of its resources. */
export interface Directory {
  teamId: string
  base: string
}

export type Ended = readonly EndedSession[]

/** Throws `uniqueness` if another user of the directory is invited at an address. `id` is null for a new user. */
export async function requireUninvited(transaction: Transaction, team: LockedTeam, address: string, id: string | null): Promise<void> {
  const user = await findInvitedUser(transaction, team.id, address)
  if (user && user.id !== id) throw notUnique(`A user with the address ${address} exists already.`)
}

/** Makes an account a member of the locked team or, without one, invites the address. */
export async function activate(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  { id, account, address }: { id: string; account: AccountOfUser['account'] | null; address: string },
): Promise<void> {
  if (account) await addToTeam(transaction, context, team, account)
  else await inviteFromDirectory(transaction, context, { teamId: team.id, email: address, directoryUserId: id })
}

/** Applies `change` to a user. Throws `precondition_failed` if the condition of the client is not met. */
export async function changeUser(
  context: Context,
  { teamId, base }: Directory,
  id: string,
  change: (current: JsonObject) => JsonObject,
): Promise<void> {
  const endedSessions = await inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const current = await lockUser(transaction, context, { teamId, base }, id)
    const old = toUserDocument(current)
    const document = readUser(change({ ...old }), old)
    return isDeepStrictEqual(document, old) ? [] : writeChange(transaction, context, team, current, document)
  })
  if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
}

/** Writes the directory's new values of a user of the locked team, and starts or ends the membership or the invitation. */
export async function writeChange(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: UserRow,
  document: UserDocument,
): Promise<Ended> {
  const { id, createdAt } = user
  // Only the database can decide which names are equal, and the name of a user who is not stored yet may be taken.
  const isNewName = document.userName !== user.userName || !user.isStored
  if (isNewName && (await isNameTaken(transaction, team.id, document.userName, id)))
    throw notUnique(`The user ${document.userName} exists already.`)
  const begins = document.active && (!user.active || (await isInvitedOtherwise(transaction, team, user, document)))
  const activated = begins ? await findAccount(transaction, context, team, user, document) : { account: null, endedSessions: [] }
  const accountId = activated.account?.id ?? user.account?.id ?? null
  writeUser(transaction, { teamId: team.id, id, accountId, createdAt, now: context.now() }, document)
  if (user.active && !document.active) await removeUser(transaction, context, team, user, document)
  if (!begins) return activated.endedSessions
  if (user.active) await removeFromTeam(transaction, context, team, user)
  const address = getAddress(document)
  await forgetRemoval(transaction, { teamId: team.id, userId: accountId ?? id, addresses: [address] })
  await activate(transaction, context, team, { id, account: activated.account, address })
  return activated.endedSessions
}

/** Returns true if an invited user has another address now, or one whose domain the team has verified meanwhile. */
async function isInvitedOtherwise(transaction: Transaction, team: LockedTeam, user: UserRow, document: UserDocument): Promise<boolean> {
  if (user.invitedAddress === null) return false
  return getAddress(document) !== user.invitedAddress || (!user.account && (await isOwnAddress(transaction, team, user.invitedAddress)))
}

interface ActivatedAccount {
  account: AccountOfUser['account'] | null
  endedSessions: Ended
}

/**
 * Returns the account that becomes a member when a user becomes active; none if the person has to be invited. A former member may now have
 * an address about which the team does not decide, or none, because the team gave it to another person.
 */
async function findAccount(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  { id, account }: UserRow,
  document: UserDocument,
): Promise<ActivatedAccount> {
  const address = account && hasAddress(account.email) ? account.email : getAddress(document)
  const isOwn = await isOwnAddress(transaction, team, address)
  if (account && isOwn) return { account, endedSessions: [] }
  const result = isOwn && (await findOrCreateAccount(transaction, context, { team, document, address }))
  if (result && result.user) throw notUnique(`A user with the address ${address} exists already.`)
  await requireUninvited(transaction, team, getAddress(document), id)
  return result || { account: null, endedSessions: [] }
}

const forget = statement<object, [teamId: string, userId: string]>(
  'delete_scim_user',
  'DELETE FROM scim_users WHERE team_id = $1 AND user_id = $2',
)

/** Removes a user from the team and deletes the directory's values. The account remains. */
export function deleteUser(context: Context, { teamId, base }: Directory, id: string): Promise<void> {
  return inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const current = await lockUser(transaction, context, { teamId, base }, id)
    await removeUser(transaction, context, team, current, toUserDocument(current))
    transaction.defer(forget(transaction, teamId, id))
  })
}

/** Ends the membership or the invitation of a user, and records that sign-ins must not start it again. */
async function removeUser(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: UserRow,
  document: UserDocument,
): Promise<void> {
  const { id, account, invitedAddress, externalId } = user
  const currentAddresses = [account?.email, invitedAddress].flatMap((address) => address ?? [])
  const addresses = [...currentAddresses, ...statedAddresses(toUserDocument(user)), ...statedAddresses(document)]
  await rememberRemoval(transaction, { teamId: team.id, userId: account?.id ?? id, addresses, externalId })
  await removeFromTeam(transaction, context, team, user)
}

async function lockUser(transaction: Transaction, context: Context, { teamId, base }: Directory, id: string): Promise<UserRow> {
  const user = await findScimUser(transaction, teamId, id)
  if (!user) throw resourceNotFound(id)
  requireVersion(context, userResource(user, base).version)
  return user
}

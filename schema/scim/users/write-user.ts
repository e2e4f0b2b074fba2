import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context, EndedSession } from '../../core/context.ts'
import { lockTeam } from '../../core/database/locks.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { requireVersion } from '../../core/errors.ts'
import { hasAddress } from '../../core/placeholder-address.ts'
import { forgetRemoval, rememberRemoval } from '../../members/directory/removed-people.ts'
import { statedAddresses } from '../../members/directory/stated-addresses.ts'
import type { JsonObject } from '../protocol/attribute.ts'
import { notUnique, resourceNotFound } from '../protocol/error.ts'
import { findOrCreateAccount } from './account.ts'
import { addressOf, readUser } from './document.ts'
import type { UserDocument } from './document.ts'
import { addToTeam, removeFromTeam, requireOwnDomain } from './membership.ts'
import { findUser, findUserWithName, isNameTaken } from './queries.ts'
import type { UserRow } from './queries.ts'
import { documentOf, userResource } from './resource.ts'
import { writeUser } from './stored-user.ts'

/** The team of the caller, and where its resources are. */
export interface Directory {
  teamId: string
  base: string
}

/**
 * Creates a user: a membership, and an account if the address has none. A user whom the directory deactivated is started again: Okta sends
 * a POST when it assigns the person again. It is the same person if the name is the same, unless another `externalId` says otherwise, or if
 * the `externalId` is. Returns the identifier.
 */
export async function createUser(context: Context, { teamId }: Directory, resource: JsonObject): Promise<string> {
  const document = readUser(resource, { active: true })
  const address = addressOf(document)
  const { id, endedSessions } = await inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const namesake = await findUserWithName(transaction, teamId, document.userName)
    if (namesake) {
      const isOther = namesake.externalId !== null && document.externalId !== null && namesake.externalId !== document.externalId
      if (namesake.active || isOther) throw notUnique(`The user ${document.userName} exists already.`)
      return startAgain(transaction, context, team, namesake, document)
    }
    await requireOwnDomain(transaction, team, address)
    const { account, user, endedSessions } = await findOrCreateAccount(transaction, context, { team, document, address })
    if (user?.active) throw notUnique(`A user with the address ${address} exists already.`)
    if (user) return startAgain(transaction, context, team, user, document)
    const now = context.now()
    writeUser(transaction, { teamId, userId: account.id, createdAt: now, now }, document)
    const added = { teamId, userId: account.id, addresses: [address, ...statedAddresses(document)], externalId: document.externalId }
    if (document.active) {
      await forgetRemoval(transaction, added)
      await addToTeam(transaction, context, team, account)
    } else await rememberRemoval(transaction, added)
    return { id: account.id, endedSessions }
  })
  if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
  return id
}

async function startAgain(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: UserRow,
  { externalId, ...document }: UserDocument,
): Promise<{ id: string; endedSessions: readonly EndedSession[] }> {
  await writeChange(transaction, context, team, user, { ...document, externalId: externalId ?? user.externalId })
  return { id: user.id, endedSessions: [] }
}

/** Changes a user to what `change` makes of the present one. Throws `precondition_failed` if the condition of the client is not met. */
export function changeUser(
  context: Context,
  { teamId, base }: Directory,
  id: string,
  change: (present: JsonObject) => JsonObject,
): Promise<void> {
  return inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const present = await lockedUser(transaction, context, { teamId, base }, id)
    const old = documentOf(present)
    const document = readUser(change({ ...old }), old)
    if (!isDeepStrictEqual(document, old)) await writeChange(transaction, context, team, present, document)
  })
}

/** Writes what the directory now states of a user of the locked team, and begins or ends the membership if the state is another. */
async function writeChange(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: UserRow,
  document: UserDocument,
): Promise<void> {
  const { id, account, active, createdAt } = user
  // Only the database knows which names are one, and the name of a user who is not stored yet may be taken.
  const isNewName = document.userName !== user.userName || !user.isStored
  if (isNewName && (await isNameTaken(transaction, team.id, document.userName, id)))
    throw notUnique(`The user ${document.userName} exists already.`)
  writeUser(transaction, { teamId: team.id, userId: id, createdAt, now: context.now() }, document)
  if (active && !document.active) await removeUser(transaction, context, team, user, document)
  if (active || !document.active) return
  // A former member may have another address by now, which the team does not know, or none: the team gave it to another person.
  const address = hasAddress(account.email) ? account.email : addressOf(document)
  await requireOwnDomain(transaction, team, address, 'The address of the account is in no domain that the team has verified.')
  await forgetRemoval(transaction, { teamId: team.id, userId: id, addresses: [] })
  await addToTeam(transaction, context, team, { id, name: account.name })
}

const forget = statement<object, [teamId: string, userId: string]>(
  'delete_scim_user',
  'DELETE FROM scim_users WHERE team_id = $1 AND user_id = $2',
)

/** Removes a user from the team and forgets what the directory stated. The account remains. */
export function deleteUser(context: Context, { teamId, base }: Directory, id: string): Promise<void> {
  return inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const present = await lockedUser(transaction, context, { teamId, base }, id)
    await removeUser(transaction, context, team, present, documentOf(present))
    transaction.defer(forget(transaction, teamId, id))
  })
}

/** Ends the membership of a user, and remembers that sign-ins do not start it again. */
async function removeUser(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: UserRow,
  document: UserDocument,
): Promise<void> {
  const { id: userId, account, externalId } = user
  const addresses = [account.email, ...statedAddresses(documentOf(user)), ...statedAddresses(document)]
  await rememberRemoval(transaction, { teamId: team.id, userId, addresses, externalId })
  await removeFromTeam(transaction, context, team, user)
}

async function lockedUser(transaction: Transaction, context: Context, { teamId, base }: Directory, id: string): Promise<UserRow> {
  const user = await findUser(transaction, teamId, id)
  if (!user) throw resourceNotFound(id)
  requireVersion(context, userResource(user, base).version)
  return user
}

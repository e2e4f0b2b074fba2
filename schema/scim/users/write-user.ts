import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { isPendingDeletion } from '../../accounts/deletion/pending-deletion.ts'
import { replaceUnverified } from '../../accounts/replace-unverified.ts'
import type { Context, EndedSession } from '../../core/context.ts'
import { lockAccount, lockTeam } from '../../core/database/locks.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { isTaken, requireVersion } from '../../core/errors.ts'
import type { JsonObject } from '../protocol/attribute.ts'
import { notUnique, resourceNotFound } from '../protocol/error.ts'
import { accountNameOf, addressOf, readUser } from './document.ts'
import type { UserDocument } from './document.ts'
import { addToTeam, removeFromTeam, requireOwnDomain } from './membership.ts'
import { findUser, isNameTaken } from './queries.ts'
import type { UserRow } from './queries.ts'
import { documentOf, userResource } from './resource.ts'
import { writeUser } from './stored-user.ts'

/** The team of the caller, and where its resources are. */
export interface Directory {
  teamId: string
  base: string
}

/** Creates a user: a membership, and an account if the address has none. Returns the identifier. */
export async function createUser(context: Context, { teamId }: Directory, resource: JsonObject): Promise<string> {
  const document = readUser(resource, { active: true })
  const address = addressOf(document)
  const { id, endedSessions } = await inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    await requireOwnDomain(transaction, team, address)
    if (await isNameTaken(transaction, teamId, document.userName, null)) throw notUnique(`The user ${document.userName} exists already.`)
    const { account, endedSessions } = await findOrCreateAccount(transaction, context, team, document, address)
    if (await findUser(transaction, teamId, account.id)) throw notUnique(`A user with the address ${address} exists already.`)
    const now = context.now()
    writeUser(transaction, { teamId, userId: account.id, createdAt: now, now }, document)
    if (document.active) await addToTeam(transaction, context, team, account)
    return { id: account.id, endedSessions }
  })
  if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
  return id
}

interface FoundAccount {
  account: { id: string; name: string }
  /** The sessions of the account that it replaces. */
  endedSessions: readonly EndedSession[]
}

async function findOrCreateAccount(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  document: UserDocument,
  address: string,
): Promise<FoundAccount> {
  const present = await lockAccount(transaction, { email: address })
  if (present?.emailVerified) return { account: present, endedSessions: [] }
  const create = () => createAccount(transaction, context, team, document, address)
  if (!present) return { account: await create(), endedSessions: [] }
  // The person who made the account may not own the address, while the team owns its domain.
  if (present.disabledAt && !isPendingDeletion(present)) throw notUnique(`There is a disabled account with the address ${address}.`)
  if (await findUser(transaction, team.id, present.id)) throw notUnique(`A user with the address ${address} exists already.`)
  const { created, endedSessions } = await replaceUnverified(transaction, context, present, create)
  return { account: created, endedSessions }
}

async function createAccount(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  document: UserDocument,
  address: string,
): Promise<FoundAccount['account']> {
  const at = context.now()
  const account = { id: randomUUID(), name: accountNameOf(document, address) }
  const row = { ...account, email: address, emailVerified: true, createdByTeamId: team.id, createdAt: at, updatedAt: at }
  try {
    await insertRow(transaction, 'users', row)
  } catch (error) {
    if (isTaken(error)) throw notUnique(`An account with the address ${address} was created at the same time.`)
    throw error
  }
  return account
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
    if (isDeepStrictEqual(document, old)) return
    // Only the database knows which names are one, and the name of a user who is not stored yet may be taken.
    const isNewName = document.userName !== old.userName || !present.isStored
    if (isNewName && (await isNameTaken(transaction, teamId, document.userName, id)))
      throw notUnique(`The user ${document.userName} exists already.`)
    writeUser(transaction, { teamId, userId: id, createdAt: present.createdAt, now: context.now() }, document)
    if (old.active && !document.active) await removeFromTeam(transaction, context, team, present)
    if (!old.active && document.active) {
      // A former member may have another address by now, which the team does not know.
      await requireOwnDomain(
        transaction,
        team,
        present.account.email,
        'The address of the account is in no domain that the team has verified.',
      )
      await addToTeam(transaction, context, team, { id, name: present.account.name })
    }
  })
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
    await removeFromTeam(transaction, context, team, present)
    transaction.defer(forget(transaction, teamId, id))
  })
}

async function lockedUser(transaction: Transaction, context: Context, { teamId, base }: Directory, id: string): Promise<UserRow> {
  const user = await findUser(transaction, teamId, id)
  if (!user) throw resourceNotFound(id)
  requireVersion(context, userResource(user, base).version)
  return user
}

import { randomUUID } from 'node:crypto'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { lockTeam } from '../../core/database/locks.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { forgetRemoval, rememberRemoval } from '../../members/directory/removed-people.ts'
import { statedAddresses } from '../../members/directory/stated-addresses.ts'
import type { JsonObject } from '../protocol/attribute.ts'
import { notUnique } from '../protocol/error.ts'
import { findOrCreateAccount } from './account.ts'
import { getAddress, readUser } from './document.ts'
import type { UserDocument } from './document.ts'
import { isOwnAddress } from './user-membership.ts'
import { findInactiveUser, findScimUser, findUserWithName } from './queries.ts'
import type { UserRow } from './queries.ts'
import { writeUser } from './stored-user.ts'
import { activate, requireUninvited, writeChange } from './write-user.ts'
import type { Directory, Ended } from './write-user.ts'

/**
 * Creates a user: a membership and, if the address has none, an account. A person with an address outside the verified domains of the team
 * is invited instead. A deactivated user is activated again: Okta sends a POST when it assigns the person again. The person is the same if
 * the `externalId` is equal, or if the name is equal and no other `externalId` contradicts. Returns the identifier.
 */
export async function createUser(context: Context, { teamId }: Directory, resource: JsonObject): Promise<string> {
  const document = readUser(resource, { active: true })
  const address = getAddress(document)
  const { id, endedSessions } = await inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const former = await findFormerUser(transaction, team, document)
    if (former) return startAgain(transaction, context, team, former, document)
    const isOwn = await isOwnAddress(transaction, team, address)
    const { account, user, endedSessions } = isOwn
      ? await findOrCreateAccount(transaction, context, { team, document, address })
      : { account: null, user: null, endedSessions: [] }
    if (user?.active) throw notUnique(`A user with the address ${address} exists already.`)
    if (user) return startAgain(transaction, context, team, user, document)
    await requireUninvited(transaction, team, address, null)
    // The identifier of an account can be that of a user who has another account now.
    const id = account && !(await findScimUser(transaction, teamId, account.id)) ? account.id : randomUUID()
    const now = context.now()
    writeUser(transaction, { teamId, id, accountId: account?.id ?? null, createdAt: now, now }, document)
    const added = { teamId, userId: account?.id ?? id, addresses: [address, ...statedAddresses(document)], externalId: document.externalId }
    if (document.active) {
      await forgetRemoval(transaction, added)
      await activate(transaction, context, team, { id, account, address })
    } else await rememberRemoval(transaction, added)
    return { id, endedSessions }
  })
  if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
  return id
}

/** Returns the inactive user to whom a new one corresponds. Throws `uniqueness` if the name is that of another user. */
async function findFormerUser(transaction: Transaction, team: LockedTeam, { userName, externalId }: UserDocument): Promise<UserRow | null> {
  const namesake = await findUserWithName(transaction, team.id, userName)
  if (!namesake) return externalId === null ? null : findInactiveUser(transaction, team.id, externalId)
  const isOther = namesake.externalId !== null && externalId !== null && namesake.externalId !== externalId
  if (namesake.active || isOther) throw notUnique(`The user ${userName} exists already.`)
  return namesake
}

async function startAgain(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: UserRow,
  { externalId, ...document }: UserDocument,
): Promise<{ id: string; endedSessions: Ended }> {
  const endedSessions = await writeChange(transaction, context, team, user, { ...document, externalId: externalId ?? user.externalId })
  return { id: user.id, endedSessions }
}

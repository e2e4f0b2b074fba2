import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { sha256 } from '../../core/sha256.ts'
import { normalizeEmail } from '../../core/validation.ts'

// A person whom the directory of a team removed can still sign in at its identity provider, with a new or unlinked account. Therefore the
// team stores digests that identify the person: the directory's data itself may have to be deleted.

/** The account of a person at an identity provider. */
interface Identity {
  issuer: string
  subject: string
}

const keyOfAddress = (address: string) => sha256(`address\n${normalizeEmail(address)}`)
const keyOfIdentity = ({ issuer, subject }: Identity) => sha256(`identity\n${issuer}\n${subject}`)
const keyOfRecord = (userId: string, externalId: string) => sha256(`record\n${userId}\n${externalId}`)

/** A user of the directory of a team. */
interface DirectoryUser {
  teamId: string
  /** The identifier of the account or, for a user without one, that of the user. */
  userId: string
  /** The addresses of the account, and those that the directory states. */
  addresses: readonly string[]
  externalId: string | null
}

const identitiesInTeam = statement<Identity, [teamId: string, userId: string]>(
  'identities_at_providers_of_team',
  `SELECT p.issuer, i.subject FROM external_identities i JOIN identity_providers p ON p.id = i.provider_id
   WHERE p.team_id = $1 AND i.user_id = $2`,
)
const insertKeys = statement<object, [teamId: string, userId: string, keys: readonly Buffer[]]>(
  'insert_directory_removals',
  `INSERT INTO directory_removals (team_id, key_hash, user_id) SELECT $1, unnest($3::bytea[]), $2
   ON CONFLICT (team_id, key_hash) DO UPDATE SET user_id = $2`,
)

/** Records that the directory of a locked team removes a user. */
export async function rememberRemoval(transaction: Transaction, { teamId, userId, addresses, externalId }: DirectoryUser): Promise<void> {
  const identities = await identitiesInTeam(transaction, teamId, userId)
  const records = externalId === null ? [] : [keyOfRecord(userId, externalId)]
  const keys = [...addresses.map(keyOfAddress), ...identities.map(keyOfIdentity), ...records]
  transaction.defer(insertKeys(transaction, teamId, userId, uniqueKeys(keys)))
}

/** The keys are made unique, because one statement cannot insert a row twice. */
const uniqueKeys = (keys: readonly Buffer[]): Buffer[] => [...new Map(keys.map((key) => [key.toString('hex'), key])).values()]

const deleteKeys = statement<object, [teamId: string, userId: string, keys: readonly Buffer[]]>(
  'delete_directory_removals',
  'DELETE FROM directory_removals WHERE team_id = $1 AND (user_id = $2 OR key_hash = ANY ($3))',
)

/** Deletes the record of the removal of a user whom the directory of a locked team adds, and of others with one of the addresses. */
export async function forgetRemoval(transaction: Transaction, user: Omit<DirectoryUser, 'externalId'>): Promise<void> {
  const { teamId, userId, addresses } = user
  const identities = await identitiesInTeam(transaction, teamId, userId)
  transaction.defer(deleteKeys(transaction, teamId, userId, [...addresses.map(keyOfAddress), ...identities.map(keyOfIdentity)]))
}

const removedUser = statement<{ userId: string }, [teamId: string, keys: readonly Buffer[]]>(
  'user_removed_by_directory',
  'SELECT user_id AS "userId" FROM directory_removals WHERE team_id = $1 AND key_hash = ANY ($2) LIMIT 1',
)
const findByKey = async (executor: Executor, teamId: string, key: Buffer): Promise<string | null> =>
  (await removedUser(executor, teamId, [key]))[0]?.userId ?? null

/** Returns the identifier of the user with this identity whom the directory of a team removed; null if it removed none. */
export const findRemovedByIdentity = (executor: Executor, teamId: string, identity: Identity): Promise<string | null> =>
  findByKey(executor, teamId, keyOfIdentity(identity))

/** Returns the identifier of such a user with this address. */
export const findRemovedByAddress = (executor: Executor, teamId: string, address: string): Promise<string | null> =>
  findByKey(executor, teamId, keyOfAddress(address))

/** Returns true if this identifier belongs to a user whom the directory of a team removed. */
export const isRemovedRecord = async (executor: Executor, teamId: string, userId: string, externalId: string): Promise<boolean> =>
  (await findByKey(executor, teamId, keyOfRecord(userId, externalId))) === userId

const inactiveUser = statement<object, [teamId: string, userId: string | null]>(
  'directory_user_without_membership',
  `SELECT FROM scim_users s WHERE s.team_id = $1 AND s.account_id = $2
   AND NOT EXISTS (SELECT FROM members m WHERE m.team_id = s.team_id AND m.user_id = s.account_id)`,
)

/** A person who signs in at a provider of a team. */
interface PersonAtProvider {
  identity: Identity
  address: string | null
  /** Identifier of the account; null if there is none yet. */
  userId: string | null
}

/**
 * Returns true if the directory of a locked team removed a person who signs in, by account, identity or address. Only the directory, or an
 * invitation, makes such a person a member again. The identity is recorded, so that another account or address changes nothing.
 */
export async function isRemovedPerson(
  transaction: Transaction,
  teamId: string,
  { identity, address, userId }: PersonAtProvider,
): Promise<boolean> {
  const key = keyOfIdentity(identity)
  const keys = [key, ...(address === null ? [] : [keyOfAddress(address)])]
  const [[removed], inactive] = await Promise.all([removedUser(transaction, teamId, keys), inactiveUser(transaction, teamId, userId)])
  const removedId = removed?.userId ?? (inactive.length > 0 ? userId : null)
  if (removedId !== null) transaction.defer(insertKeys(transaction, teamId, removedId, [key]))
  return removedId !== null
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { lockTeam } from '../../core/database/locks.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { isTaken, requireVersion } from '../../core/errors.ts'
import { isIdentifier, text } from '../../core/validation.ts'
import { applyToMembers } from '../../members/groups/apply-groups.ts'
import { readDirectoryGroups } from '../../members/groups/directory-groups.ts'
import { laterThan } from '../../teams/mutations.ts'
import type { JsonObject } from '../protocol/attribute.ts'
import { parseResource } from '../protocol/values.ts'
import { invalidValue, notUnique, resourceNotFound } from '../protocol/error.ts'
import type { Directory } from '../users/write-user.ts'
import { accountsOfUsers, saveMembers } from '../users/stored-user.ts'
import { auditGroup } from './audit-group.ts'
import { findGroup, versionOfGroup } from './queries.ts'

const schema = z.object({
  displayName: text.trim().min(1).max(255),
  externalId: text
    .max(255)
    .nullish()
    .transform((id) => id || null),
  members: z
    .array(z.object({ value: z.string(), type: z.literal(['User', 'user'], 'only users can be members of groups').nullish() }))
    .transform((members) => new Set(members.map(({ value }) => value))),
})
type GroupDocument = z.output<typeof schema>

/** Reads a group. Its members are `members` if the directory does not send any: only an empty list removes all of them. */
const readGroup = (resource: JsonObject, members: readonly object[]): GroupDocument =>
  parseResource(schema, { ...resource, members: resource['members'] ?? members })

const insertGroup = statement<object, [id: string, teamId: string, displayName: string, externalId: string | null, now: Date]>(
  'insert_scim_group',
  `INSERT INTO scim_groups (id, team_id, display_name, external_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
)
const updateGroup = statement<object, [id: string, displayName: string, externalId: string | null, now: string]>(
  'update_scim_group',
  'UPDATE scim_groups SET display_name = $2, external_id = $3, updated_at = $4 WHERE id = $1',
)
const removeGroup = statement<object, [id: string]>('delete_scim_group', 'DELETE FROM scim_groups WHERE id = $1')
const addMembers = statement<{ id: string }, [groupId: string, teamId: string, userIds: readonly string[]]>(
  'add_members_to_scim_group',
  `INSERT INTO scim_group_members (group_id, team_id, user_id)
   SELECT $1, $2, user_id FROM scim_users WHERE team_id = $2 AND user_id = ANY ($3::uuid[]) ON CONFLICT DO NOTHING RETURNING user_id AS id`,
)
const removeMembers = statement<object, [groupId: string, userIds: readonly string[]]>(
  'remove_members_from_scim_group',
  'DELETE FROM scim_group_members WHERE group_id = $1 AND user_id = ANY ($2::uuid[])',
)

/** Creates a group. Returns its identifier. */
export function createGroup(context: Context, { teamId }: Directory, resource: JsonObject): Promise<string> {
  const document = readGroup(resource, [])
  return inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const id = randomUUID()
    await unlessTaken(document, insertGroup(transaction, id, teamId, document.displayName, document.externalId, context.now()))
    const added = [...document.members]
    await add(transaction, context, { id, teamId }, added)
    await auditGroup(transaction, context, { id, teamId, after: document, added })
    await applyRoles(transaction, context, team, added)
    return id
  })
}

/**
 * Applies `change` to a group. The team is locked meanwhile, so that simultaneous changes follow each other. Throws `precondition_failed`
 * if the condition of the client is not met.
 */
export function changeGroup(
  context: Context,
  { teamId }: Directory,
  id: string,
  change: (current: JsonObject) => JsonObject,
): Promise<void> {
  return inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const current = await findGroup(transaction, teamId, id)
    if (!current) throw resourceNotFound(id)
    requireVersion(context, versionOfGroup(current))
    const before = { ...current, members: listIds(current.members) }
    const members = current.members.map((member) => ({ ...member, type: 'User' }))
    const old = { displayName: current.displayName, externalId: current.externalId, members }
    const document = readGroup(change(old), members)
    const { displayName, externalId } = document
    const added = [...document.members].filter((each) => !before.members.has(each))
    const removed = [...before.members].filter((each) => !document.members.has(each))
    const isRenamed = displayName !== current.displayName || externalId !== current.externalId
    if (!isRenamed && added.length === 0 && removed.length === 0) return
    await unlessTaken(document, updateGroup(transaction, id, displayName, externalId, laterThan(context.now(), current.updatedAt)))
    if (removed.length > 0) await removeMembers(transaction, id, removed)
    await add(transaction, context, { id, teamId }, added)
    await auditGroup(transaction, context, { id, teamId, before, after: document, added, removed })
    await applyRoles(transaction, context, team, isRenamed ? [...before.members, ...added] : [...added, ...removed])
  })
}

/** Deletes a group. Its members stay in the team, with the roles of their other groups. */
export function deleteGroup(context: Context, { teamId }: Directory, id: string): Promise<void> {
  return inTransaction(context.database, async (transaction) => {
    const team = await lockTeam(transaction, teamId)
    const current = await findGroup(transaction, teamId, id)
    if (!current) throw resourceNotFound(id)
    requireVersion(context, versionOfGroup(current))
    const members = listIds(current.members)
    const removed = [...members]
    await removeGroup(transaction, id)
    await auditGroup(transaction, context, { id, teamId, before: { ...current, members }, removed })
    await applyRoles(transaction, context, team, removed)
  })
}

const listIds = (members: readonly object[]): Set<string> =>
  new Set(members.flatMap((member) => ('value' in member && typeof member.value === 'string' ? [member.value] : [])))

async function add(transaction: Transaction, context: Context, group: { id: string; teamId: string }, userIds: readonly string[]) {
  if (userIds.length === 0) return
  const stranger = userIds.find((id) => !isIdentifier(id))
  if (stranger !== undefined) throw invalidValue(`members: there is no user ${stranger.slice(0, 100)}.`)
  await saveMembers(transaction, group.teamId, userIds, context.now())
  const added = new Set((await addMembers(transaction, group.id, group.teamId, userIds)).map(({ id }) => id))
  const missing = userIds.find((id) => !added.has(id))
  if (missing !== undefined) throw invalidValue(`members: there is no user ${missing}.`)
}

/** Gives the members the roles of their groups after the change. */
async function applyRoles(transaction: Transaction, context: Context, team: LockedTeam, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const accountIds = await accountsOfUsers(transaction, team.id, userIds)
  await applyToMembers(transaction, context, team, await readDirectoryGroups(transaction, team.id, accountIds), 'member')
}

async function unlessTaken({ displayName }: GroupDocument, write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (isTaken(error)) throw notUnique(`The group ${displayName} exists already.`)
    throw error
  }
}

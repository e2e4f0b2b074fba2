import { query, statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import { isIdentifier } from '../../core/validation.ts'
import type { Filter } from '../protocol/filter.ts'
import { filterSql } from '../protocol/filter-sql.ts'
import type { StoredAttributes } from '../protocol/filter-sql.ts'
import { endBeforeTooMany } from '../protocol/list-query.ts'
import type { ScimListQuery, ListPage } from '../protocol/list-query.ts'
import { userType } from '../resource-types.ts'
import type { UserDocument } from './document.ts'

/** A member of a team, a person whom its directory invited, or a user whom it deactivated. */
export interface UserRow {
  /** Identifier of the resource: that of the account, or another one if the directory created the user before the account existed here. */
  id: string
  userName: string
  externalId: string | null
  /** The attributes from the directory; for a member whom it never sent, those of the account. */
  attributes: Pick<UserDocument, 'displayName' | 'name' | 'emails'>
  /** Parts of the name: those from the directory, or else of the whole name. Okta requires both for each user. */
  names: { givenName: string; familyName: string }
  active: boolean
  createdAt: string
  updatedAt: string
  groups: { value: string; display: string }[]
  account: { id: string; name: string; email: string; emailVerified: boolean } | null
  /** Address of the pending invitation, if there is one. */
  invitedAddress: string | null
  /** Role of a member, otherwise null. */
  role: Role | null
  accessibleAppIds: Application[] | null
  /** True if the directory has sent the user. */
  isStored: boolean
}

/** SQL for the attributes that the directory would send for an account `u`. Accounts without an address have a placeholder. */
export const attributesOfAccount = `jsonb_build_object('displayName', u.name, 'name', jsonb_build_object('formatted', u.name), 'emails',
  CASE WHEN u.email LIKE '%@no-address.invalid' THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary', true)) END)`

/** SQL for the user name of a member whom the directory never sent: the address of the account `u`, unless another user has that name. */
export const userNameOfAccount = `CASE WHEN EXISTS (SELECT FROM scim_users o WHERE o.team_id = $1 AND lower(o.user_name) = lower(u.email))
  THEN u.id::text ELSE u.email END`

// The users whom the directory has sent, and the other members. A member is excluded if their identifier is that of a user who has another
// account now: an identifier is never used for two people.
const users = `(SELECT k.id, coalesce(s.user_name, ${userNameOfAccount}) AS user_name, s.external_id, coalesce(s.attributes, ${attributesOfAccount}) AS attributes,
    m.user_id IS NOT NULL OR i.email IS NOT NULL AS active, coalesce(s.created_at, m.joined_at) AS created_at,
    greatest(s.updated_at, m.joined_at) AS updated_at, u.id AS account_id, u.name, u.email, u.email_verified,
    i.email AS invited_address, m.role, m.all_applications, m.applications, s.user_id IS NOT NULL AS is_stored
  FROM (SELECT user_id AS id, account_id FROM scim_users WHERE team_id = $1 UNION ALL
    SELECT m.user_id, m.user_id FROM members m WHERE m.team_id = $1
    AND NOT EXISTS (SELECT FROM scim_users s WHERE s.team_id = $1 AND s.account_id = m.user_id)
    AND NOT EXISTS (SELECT FROM scim_users s WHERE s.team_id = $1 AND s.user_id = m.user_id)) k
  LEFT JOIN users u ON u.id = k.account_id
  LEFT JOIN members m ON m.team_id = $1 AND m.user_id = k.account_id
  LEFT JOIN scim_users s ON s.team_id = $1 AND s.user_id = k.id
  LEFT JOIN invitations i ON i.team_id = $1 AND i.directory_user_id = k.id AND i.status = 'pending') r`

/** SQL for the whole name: that from the directory, or else that of a member's account, which the directory may see, or the user name. */
const wholeName = `coalesce(nullif(btrim(r.attributes->'name'->>'formatted'), ''), nullif(btrim(r.attributes->>'displayName'), ''),
  CASE WHEN r.role IS NOT NULL THEN r.name END, r.user_name)`
/** SQL for the parts of a name: without parts from the directory, the text before and after the last blank of the whole name. */
const names = {
  givenName: `coalesce(r.attributes->'name'->>'givenName', regexp_replace(${wholeName}, '\\s+\\S+$', ''))`,
  familyName: `coalesce(r.attributes->'name'->>'familyName', regexp_replace(${wholeName}, '^.*\\s', ''))`,
}

const groupsOfUser = 'FROM scim_group_members gm JOIN scim_groups g ON g.id = gm.group_id WHERE gm.team_id = $1 AND gm.user_id = r.id'

const columns = `r.id, r.user_name AS "userName", r.external_id AS "externalId", r.attributes,
  json_build_object('givenName', ${names.givenName}, 'familyName', ${names.familyName}) AS names, r.active, r.created_at AS "createdAt",
  r.updated_at AS "updatedAt", r.invited_address AS "invitedAddress",
  CASE WHEN r.account_id IS NOT NULL
    THEN json_build_object('id', r.account_id, 'name', r.name, 'email', r.email, 'emailVerified', r.email_verified) END AS account, r.role,
  CASE WHEN NOT r.all_applications THEN to_json(r.applications) END AS "accessibleAppIds", r.is_stored AS "isStored",
  (SELECT coalesce(json_agg(json_build_object('value', g.id, 'display', g.display_name) ORDER BY g.display_name, g.id), '[]')
   ${groupsOfUser}) AS groups`

const stored: StoredAttributes = {
  columns: {
    id: 'r.id',
    externalId: 'r.external_id',
    userName: 'r.user_name',
    displayName: `r.attributes->>'displayName'`,
    'name.formatted': `r.attributes->'name'->>'formatted'`,
    'name.familyName': names.familyName,
    'name.givenName': names.givenName,
    active: 'r.active',
    'meta.resourceType': `'User'`,
    'meta.created': 'r.created_at',
    'meta.lastModified': 'r.updated_at',
  },
  lists: {
    emails: {
      rows: `FROM jsonb_array_elements(r.attributes->'emails') e WHERE true`,
      parts: { value: `e->>'value'`, type: `e->>'type'`, display: `e->>'display'`, primary: `(e->>'primary')::boolean` },
    },
    groups: {
      rows: groupsOfUser,
      parts: { value: 'g.id', display: 'g.display_name' },
    },
  },
}

const userById = statement<UserRow, [teamId: string, id: string]>('scim_user', `SELECT ${columns} FROM ${users} WHERE r.id = $2`)

/** Returns one user of a team, or null. */
export async function findScimUser(executor: Executor, teamId: string, id: string): Promise<UserRow | null> {
  const [row] = isIdentifier(id) ? await userById(executor, teamId, id) : []
  return row ?? null
}

/** Returns the users of a team that match a filter, by the time of their creation. */
export async function listUsers(executor: Executor, teamId: string, { filter, offset, limit }: ScimListQuery): Promise<ListPage<UserRow>> {
  const values: unknown[] = [teamId]
  const condition = getCondition(filter, values)
  const [counted] = await query<{ total: number }>(executor, `SELECT count(*)::int AS total FROM ${users} WHERE ${condition}`, values)
  if (limit === 0) return { total: counted?.total ?? 0, rows: [] }
  const page = `SELECT r.* FROM ${users} WHERE ${condition} ORDER BY r.created_at, r.id LIMIT ${limit} OFFSET ${offset}`
  const text = `SELECT ${columns} FROM ${endBeforeTooMany(page, `SELECT count(*) ${groupsOfUser}`)} ORDER BY r.created_at, r.id`
  return { total: counted?.total ?? 0, rows: await query<UserRow>(executor, text, values) }
}

const userByAccount = statement<UserRow, [teamId: string, accountId: string]>(
  'scim_user_of_account',
  `SELECT ${columns} FROM ${users} WHERE r.account_id = $2`,
)

/** Returns the user of a team with this account, or null. */
export async function findUserOfAccount(executor: Executor, teamId: string, accountId: string): Promise<UserRow | null> {
  const [row] = await userByAccount(executor, teamId, accountId)
  return row ?? null
}

const getCondition = (filter: Filter | null, values: unknown[]) => (filter ? filterSql(userType, stored, filter, values) : 'true')

const otherWithName = statement<{ id: string }, [teamId: string, userName: string, id: string | null]>(
  'scim_user_with_name',
  `SELECT r.id FROM ${users} WHERE lower(r.user_name) = lower($2) AND r.id IS DISTINCT FROM $3::uuid LIMIT 1`,
)

const invitedUser = statement<UserRow, [teamId: string, address: string]>(
  'scim_user_invited_at',
  `SELECT ${columns} FROM ${users} WHERE r.invited_address = $2`,
)

/** Returns the user of a team who is invited at an address, or null. */
export async function findInvitedUser(executor: Executor, teamId: string, address: string): Promise<UserRow | null> {
  const [row] = await invitedUser(executor, teamId, address)
  return row ?? null
}

const inactiveUser = statement<UserRow, [teamId: string, externalId: string]>(
  'scim_user_inactive',
  `SELECT ${columns} FROM ${users} WHERE r.external_id = $2 AND NOT r.active ORDER BY r.updated_at DESC LIMIT 1`,
)

/** Returns the inactive user of a team with this identifier in the directory, or null. */
export async function findInactiveUser(executor: Executor, teamId: string, externalId: string): Promise<UserRow | null> {
  const [row] = await inactiveUser(executor, teamId, externalId)
  return row ?? null
}

/** Returns the user of the team with this `userName`, in upper or lower case, or null. */
export async function findUserWithName(executor: Executor, teamId: string, userName: string): Promise<UserRow | null> {
  const [user] = await otherWithName(executor, teamId, userName, null)
  return user ? findScimUser(executor, teamId, user.id) : null
}

/** Returns true if another user of the team has this `userName`, in upper or lower case. */
export const isNameTaken = async (executor: Executor, teamId: string, userName: string, id: string | null): Promise<boolean> =>
  (await otherWithName(executor, teamId, userName, id)).length > 0

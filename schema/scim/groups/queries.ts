import { query, statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import { isIdentifier } from '../../core/validation.ts'
import { filterSql } from '../protocol/filter-sql.ts'
import type { StoredAttributes } from '../protocol/filter-sql.ts'
import { endBeforeTooMany } from '../protocol/list-query.ts'
import type { ListPage, ScimListQuery } from '../protocol/list-query.ts'
import { groupType } from '../resource-types.ts'
import type { Resource } from '../users/resource.ts'

/** A group of the directory of a team. */
export interface GroupRow {
  id: string
  displayName: string
  externalId: string | null
  createdAt: string
  updatedAt: string
  /** Null if they were not read. */
  members: { value: string; display: string }[] | null
}

const groups = 'scim_groups r'
/** The users of a group, with the values that the directory states, because the team may not see the account of a user who left. */
const members = 'FROM scim_group_members gm JOIN scim_users s USING (team_id, user_id) WHERE gm.group_id = r.id'
const display = `coalesce(s.attributes->>'displayName', s.user_name)`
const columns = (withMembers: boolean) =>
  `r.id, r.display_name AS "displayName", r.external_id AS "externalId", r.created_at AS "createdAt", r.updated_at AS "updatedAt",
   ${
     withMembers
       ? `(SELECT coalesce(json_agg(json_build_object('value', gm.user_id, 'display', ${display}) ORDER BY gm.user_id), '[]') ${members})`
       : 'NULL::json'
   } AS members`

const stored: StoredAttributes = {
  columns: {
    id: 'r.id',
    externalId: 'r.external_id',
    displayName: 'r.display_name',
    'meta.resourceType': `'Group'`,
    'meta.created': 'r.created_at',
    'meta.lastModified': 'r.updated_at',
  },
  lists: {
    members: {
      rows: members,
      parts: { value: 'gm.user_id', display, type: `'User'` },
    },
  },
}

const groupById = statement<GroupRow, [teamId: string, id: string]>(
  'scim_group',
  `SELECT ${columns(true)} FROM ${groups} WHERE r.team_id = $1 AND r.id = $2`,
)

/** Returns one group of a team with its members, or null. */
export async function findGroup(executor: Executor, teamId: string, id: string): Promise<(GroupRow & { members: object[] }) | null> {
  const [row] = isIdentifier(id) ? await groupById(executor, teamId, id) : []
  return row ? { ...row, members: row.members ?? [] } : null
}

/** Maximum number of groups with their members in a response: 200 groups of 3,000 would be 100 MB. */
const maxWithMembers = 20

/** Returns the groups of a team that match a filter, by the time of their creation. */
export async function listGroups(
  executor: Executor,
  teamId: string,
  { filter, offset, limit }: ScimListQuery,
  withMembers: boolean,
): Promise<ListPage<GroupRow>> {
  const values: unknown[] = [teamId]
  const condition = `r.team_id = $1 AND ${filter ? filterSql(groupType, stored, filter, values) : 'true'}`
  const [counted] = await query<{ total: number }>(executor, `SELECT count(*)::int AS total FROM ${groups} WHERE ${condition}`, values)
  if (limit === 0) return { total: counted?.total ?? 0, rows: [] }
  const page = `SELECT r.* FROM ${groups} WHERE ${condition} ORDER BY r.created_at, r.id LIMIT ${withMembers ? Math.min(limit, maxWithMembers) : limit} OFFSET ${offset}`
  const text = `SELECT ${columns(withMembers)} FROM ${withMembers ? endBeforeTooMany(page, `SELECT count(*) ${members}`) : `(${page}) r`} ORDER BY r.created_at, r.id`
  return { total: counted?.total ?? 0, rows: await query<GroupRow>(executor, text, values) }
}

/** Returns the version of a group: the time of the last change of it or its members. */
export const versionOfGroup = ({ updatedAt }: Pick<GroupRow, 'updatedAt'>): string => updatedAt

/** Returns the resource of a group. */
export function groupResource(row: GroupRow, base: string): Resource {
  const { id, displayName, externalId, createdAt, updatedAt, members } = row
  const body = {
    schemas: [groupType.schema],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members && { members: members.map(({ value, display }) => ({ value, display, type: 'User', $ref: `${base}/Users/${value}` })) }),
    meta: { resourceType: 'Group', created: createdAt, lastModified: updatedAt, location: `${base}/Groups/${id}` },
  }
  return { body, version: versionOfGroup(row) }
}

import { groupType } from '../resource-types.ts'
import type { Resource } from '../users/resource.ts'
import type { GroupRow } from './queries.ts'

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

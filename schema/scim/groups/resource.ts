import { groupType } from '../resource-types.ts'
import type { Resource } from '../users/resource.ts'
import type { GroupRow } from './queries.ts'

/** The resource of a group. Its version is the time of the last change of the group or its members. */
export function groupResource({ id, displayName, externalId, createdAt, updatedAt, members }: GroupRow, base: string): Resource {
  const body = {
    schemas: [groupType.schema],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members && { members: members.map((member) => ({ ...member, type: 'User', $ref: `${base}/Users/${member.value}` })) }),
    meta: { resourceType: 'Group', created: createdAt, lastModified: updatedAt, location: `${base}/Groups/${id}` },
  }
  return { body, version: updatedAt }
}

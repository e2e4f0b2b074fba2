import { createHash } from 'node:crypto'
import type { JsonObject } from '../protocol/attribute.ts'
import { userType } from '../resource-types.ts'
import type { UserDocument } from './document.ts'
import type { UserRow } from './queries.ts'

/** A resource in a response, and its version. */
export interface Resource {
  body: JsonObject & { id: string; meta: { location: string } }
  version: string
}

/** Returns the document of a user, which a PATCH changes. */
export const toUserDocument = ({ userName, externalId, attributes, active }: UserRow): UserDocument => ({
  userName,
  externalId,
  ...attributes,
  active,
})

/** Returns the resource of a user. `base` is the URL of all resources. */
export function userResource(row: UserRow, base: string): Resource {
  const { id, names, groups, createdAt, updatedAt } = row
  const { userName, externalId, displayName, name, emails, active } = toUserDocument(row)
  const body = {
    schemas: [userType.schema],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    name: withoutNulls({ formatted: name?.formatted ?? null, ...names }),
    ...(displayName !== null && { displayName }),
    emails: emails.map(withoutNulls),
    active,
    groups: groups.map(({ value, display }) => ({ value, display, type: 'direct', $ref: `${base}/Groups/${value}` })),
    meta: { resourceType: 'User', created: createdAt, lastModified: updatedAt, location: `${base}/Users/${id}` },
  }
  return { body, version: getVersion(body) }
}

/** Returns the version of a resource: it changes with every part of its representation. */
const getVersion = (resource: object): string => createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)

const withoutNulls = (object: object): JsonObject => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

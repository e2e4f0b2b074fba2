import type { Requirement } from '../core/requires.ts'

/** The requirement to see what the directory of a team sent about users. */
export const seeDirectoryUsers: Requirement = { scopes: ['acct:team:members:read'], roles: ['owner'] }

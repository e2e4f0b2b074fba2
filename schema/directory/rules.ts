import type { Requirement } from '../core/requires.ts'

/** To see what the directory of a team says of people. */
export const seeDirectoryUsers: Requirement = { scopes: ['acct:team:members:read'], roles: ['owner'] }

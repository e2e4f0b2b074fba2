import { staffPath } from '../../web/page-paths.ts'
import type { StaffSearchQuery } from '../generated/operations.ts'

export type SearchResult = NonNullable<StaffSearchQuery['staff']['search']>[number]

export const staffClientsPath = `${staffPath}/clients`
export const staffMailsPath = `${staffPath}/mails`
export const staffAuditPath = `${staffPath}/audit`

// Each returns the address of the page on which staff read an object.
export const staffUserAt = (userId: string): string => `${staffPath}/users/${userId}`
export const staffTeamAt = (slug: string): string => `${staffPath}/teams/${slug}`
export const staffClientAt = (clientId: string): string => `${staffClientsPath}/${encodeURIComponent(clientId)}`
export const staffEntryAt = (entryId: string): string => `${staffAuditPath}/${entryId}`

/** Returns the address of the emails to a user. */
export const staffMailsTo = (userId: string): string => `${staffMailsPath}?${new URLSearchParams({ user: userId })}`

/** Returns the address of the audit entries with this property. */
export const staffAuditWith = (filter: { team: string } | { user: string } | { subject: string }): string =>
  `${staffAuditPath}?${new URLSearchParams(filter)}`

/** Returns the path of the page of a search result: its own, or that of the team or user to which it belongs. */
export function resultPath({ kind, key, teamSlug, userId }: SearchResult): string | null {
  if (kind === 'CLIENT') return staffClientAt(key)
  if (kind === 'AUDIT_ENTRY') return staffEntryAt(key)
  if (userId !== null) return staffUserAt(userId)
  return teamSlug === null ? null : staffTeamAt(teamSlug)
}

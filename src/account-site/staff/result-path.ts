import { staffPath } from '../../web/page-paths.ts'
import type { StaffSearchQuery } from '../generated/operations.ts'

export type SearchResult = NonNullable<StaffSearchQuery['staff']['search']>[number]

/** Returns the path of the page on which staff read an object. */
export const staffUserAt = (userId: string): string => `${staffPath}/users/${userId}`
export const staffTeamAt = (slug: string): string => `${staffPath}/teams/${slug}`
export const staffClientAt = (clientId: string): string => `${staffPath}/clients/${encodeURIComponent(clientId)}`
export const staffMailsTo = (userId: string): string => `${staffPath}/mails?${new URLSearchParams({ user: userId })}`
export const staffEntryAt = (entryId: string): string => `${staffPath}/audit/${entryId}`

/** Returns the path of the page of a search result: its own, or that of the team or user to which it belongs. */
export function resultPath({ kind, key, teamSlug, userId }: SearchResult): string | null {
  if (kind === 'CLIENT') return staffClientAt(key)
  if (kind === 'AUDIT_ENTRY') return staffEntryAt(key)
  if (userId !== null) return staffUserAt(userId)
  return teamSlug === null ? null : staffTeamAt(teamSlug)
}

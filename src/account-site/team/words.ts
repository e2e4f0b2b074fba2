import type { Application, InvitationStatus, Role } from '../generated/operations.ts'
import { appNames } from '../invoices/words.ts'

/** What a role is called. */
export const roleNames: Record<Role, string> = { OWNER: 'Owner', MEMBER: 'Member', BILLING: 'Billing' }

/** Where an invitation stands. */
export const invitationStates: Record<InvitationStatus, string> = {
  PENDING: 'Waiting for an answer',
  ACCEPTED: 'Accepted',
  DECLINED: 'Declined',
  REVOKED: 'Revoked',
  EXPIRED: 'Expired',
}

/** Application access in words: `all`, `none`, or names. */
export function accessWords(ids: readonly Application[] | null): string {
  if (ids === null) return 'All applications'
  return ids.length === 0 ? 'None' : ids.map((id) => appNames[id]).join(', ')
}

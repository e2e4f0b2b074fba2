import type { Application, InvitationStatus, Role } from './generated/operations.ts'

/** Names of the products, in their order. */
export const appNames: Record<Application, string> = {
  DOMAIN: 'Domain',
  CERT: 'Cert',
  DEPLOY: 'Deploy',
  SHORTENER: 'Shortener',
  FLOW: 'Flow',
  BACKUP: 'Backup',
  SOCKET: 'Socket',
  BILLING: 'Billing',
}

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

/** How long to wait, rounded up. */
export function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

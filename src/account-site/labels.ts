import type { Application, InvitationStatus, Role } from './generated/operations.ts'

/** Product names, in the order in which pages list them. */
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

export const roleNames: Record<Role, string> = { OWNER: 'Owner', MEMBER: 'Member', BILLING: 'Billing' }

export const invitationStatusLabels: Record<InvitationStatus, string> = {
  PENDING: 'Pending',
  ACCEPTED: 'Accepted',
  DECLINED: 'Declined',
  REVOKED: 'Revoked',
  EXPIRED: 'Expired',
}

/** All applications, in the order of `appNames`. */
export const applications = ['DOMAIN', 'CERT', 'DEPLOY', 'SHORTENER', 'FLOW', 'BACKUP', 'SOCKET', 'BILLING'] satisfies Application[]

/** Formats application access: all applications, none, or their names. `null` means all. */
export function accessLabel(ids: readonly Application[] | null): string {
  if (ids === null) return 'All products'
  return ids.length === 0 ? 'None' : ids.map((id) => appNames[id]).join(', ')
}

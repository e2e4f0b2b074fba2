import { allProducts, products, severalProducts } from '../../schema/core/products.ts'
import type { Application, InvitationStatus, Role } from './generated/operations.ts'

/** Product names, in the order in which pages list them. */
export const productNames: Record<Application, string> = {
  DOMAIN: products.domain.name,
  CERT: products.cert.name,
  DEPLOY: products.deploy.name,
  SHORTENER: products.shortener.name,
  FLOW: products.flow.name,
  BACKUP: products.backup.name,
  SOCKET: products.socket.name,
  BILLING: products.billing.name,
}

interface ProductsOfInvoice {
  appId: Application | null
  lines: readonly { appId: Application | null }[]
}

/** Returns the product name of an invoice, whose lines can be for other products. */
export function getInvoiceProduct({ appId, lines }: ProductsOfInvoice): string {
  const ids = new Set(lines.map((line) => line.appId ?? appId).filter((id) => id !== null))
  if (ids.size > 1) return severalProducts
  return appId === null ? allProducts : productNames[appId]
}

export const roleNames: Record<Role, string> = { OWNER: 'Owner', MEMBER: 'Member', BILLING: 'Billing' }

export const invitationStatusLabels: Record<InvitationStatus, string> = {
  PENDING: 'Pending',
  ACCEPTED: 'Accepted',
  DECLINED: 'Declined',
  REVOKED: 'Revoked',
  EXPIRED: 'Expired',
}

/** All products, in the order of `productNames`. */
export const applicationIds = ['DOMAIN', 'CERT', 'DEPLOY', 'SHORTENER', 'FLOW', 'BACKUP', 'SOCKET', 'BILLING'] satisfies Application[]

/** Formats product access: all products, none, or their names. `null` means all. */
export function accessLabel(ids: readonly Application[] | null): string {
  if (ids === null) return allProducts
  return ids.length === 0 ? 'None' : ids.map((id) => productNames[id]).join(', ')
}

/** Returns `1 invoice` or `1,200 invoices`. */
export const counted = (count: number, one: string, many: string): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

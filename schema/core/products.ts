import type { Application } from '../../prisma/generated/client/enums.ts'

interface Product {
  name: string
  /** Description of the product, as a sentence. */
  about: string
}

/**
 * The products of the family, by the identifiers of the contract. The contract calls a product that a team uses a connected application.
 * Pages, invoices, emails and the descriptions of both APIs take the names from here.
 */
export const products = {
  domain: { name: 'Domains', about: 'Registers and renews domain names.' },
  cert: { name: 'Certificates', about: 'Issues and renews TLS certificates.' },
  deploy: { name: 'Deployments', about: 'Builds and deploys software.' },
  shortener: { name: 'Short links', about: 'Makes short links to web pages.' },
  flow: { name: 'Traffic rules', about: 'Filters requests by rules.' },
  backup: { name: 'Backups', about: 'Makes backups and keeps them.' },
  socket: { name: 'WebSockets', about: 'Sends messages over WebSocket connections.' },
  billing: { name: 'Billing', about: 'Handles invoices and payments.' },
} as const satisfies Record<Application, Product>

/** The label for an invoice without a product, and for a member whose access is not restricted. */
export const allProducts = 'All products'

/** The label for an invoice whose lines are for more than one product. */
export const severalProducts = 'Several products'

import { accountRoutes } from './account.ts'
import { appRoutes } from './apps.ts'
import { eventRoutes } from './events.ts'
import { flowRoutes } from './flow.ts'
import { invitationRoutes } from './invitations.ts'
import { invoiceRoutes } from './invoices.ts'
import { memberRoutes } from './members.ts'
import { teamRoutes } from './teams.ts'
import { tokenRoutes } from './tokens.ts'
import { webhookRoutes } from './webhooks.ts'
import type { Route } from '../route.ts'

/** Every documented route, in the order of the documentation. */
export const routes: readonly Route[] = [
  ...teamRoutes,
  ...appRoutes,
  ...invoiceRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...tokenRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...accountRoutes,
  ...flowRoutes,
]

import { account } from './account.ts'
import { apps } from './apps.ts'
import { events } from './events.ts'
import { flow } from './flow.ts'
import { invitations } from './invitations.ts'
import { invoices } from './invoices.ts'
import { members } from './members.ts'
import { teams } from './teams.ts'
import { tokens } from './tokens.ts'
import { webhooks } from './webhooks.ts'
import type { Route } from '../route.ts'

/** Every documented route, in the order of the documentation. */
export const routes: readonly Route[] = [
  ...teams,
  ...apps,
  ...invoices,
  ...members,
  ...invitations,
  ...tokens,
  ...events,
  ...webhooks,
  ...account,
  ...flow,
]

import { z } from 'zod'
import { ConnectedAppStatus } from '../../../../prisma/generated/client/enums.ts'
import { applicationId } from '../../../../schema/apps/application.ts'
import { text, displayName, emailAddress } from '../../../../schema/core/validation.ts'
import { billingRules } from '../../../../schema/invoices/billing-details.ts'
import { role } from '../../../../schema/members/role.ts'
import { agentHost, maxAgentHosts } from '../../../../schema/agents/allowed-hosts.ts'
import { teamRules, teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, stored, storedElsewhere, reference } from '../storage.ts'
import { instant, selectPicture, webAddress, accessibleApps } from '../values.ts'

export const teamRecord = recordType({
  schema: z.strictObject({
    type: z.literal('team'),
    slug: stored('text', teamSlug, { isKey: true }),
    name: stored('text', teamRules.name),
    timezone: stored('text', optional(teamRules.timezone)),
    gravatar_email: stored('text', optional(teamRules.gravatarEmail)),
    logo: storedElsewhere(optional(text), selectPicture('team')),
    created_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
    // A deleted team keeps its content until it is erased, and its invoices after that. The export includes both.
    deleted_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
    two_factor_required_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
    billing_name: stored('text', optional(billingRules.billingName), { keep: 'NULL' }),
    billing_address: stored('text', optional(billingRules.billingAddress), { keep: 'NULL' }),
    vat_id: stored('text', optional(billingRules.vatId), { keep: 'NULL' }),
    invoice_recipients: stored('text[]', optional(billingRules.invoiceRecipients), { keep: `'{}'`, default: [] }),
    agent_hosts: stored('text[]', optional(z.array(agentHost).max(maxAgentHosts)), { keep: `'{}'`, default: [] }),
  }),
  table: 'teams',
  orderBy: 'e.slug COLLATE "C"',
  subject: ['slug'],
  changedAt: 'updated_at',
})

export const appRecord = recordType({
  schema: z.strictObject({
    type: z.literal('app'),
    team: reference('team', teamSlug, { isKey: true }),
    id: stored('"Application"', applicationId, { column: 'application', isKey: true }),
    name: stored('text', displayName),
    description: stored('text', optional(text)),
    url: stored('text', optional(webAddress)),
    status: stored('"ConnectedAppStatus"', optional(z.enum(ConnectedAppStatus)), { default: 'active' }),
    connected_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
  }),
  table: 'connected_apps',
  orderBy: 't.slug COLLATE "C", e.application',
  subject: ['id', 'team'],
})

export const memberRecord = recordType({
  schema: z.strictObject({
    type: z.literal('member'),
    team: reference('team', teamSlug, { isKey: true }),
    user: reference('user', emailAddress, { isKey: true }),
    role: stored('"Role"', role),
    accessible_app_ids: accessibleApps,
    joined_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
  }),
  table: 'members',
  orderBy: 't.slug COLLATE "C", e.joined_at, u.email COLLATE "C"',
  subject: ['user', 'team'],
})

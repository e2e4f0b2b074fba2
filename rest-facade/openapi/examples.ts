import { products } from '../../schema/core/products.ts'
import type { EventType } from '../../schema/events/event-types.ts'
import { eventBody } from '../../schema/events/event.ts'
import { exampleEvent } from '../../schema/events/example-event.ts'
import { avatarUrl } from '../../schema/teams/avatar.ts'
import { ruleCapabilities } from '../../schema/flow/rule-capabilities.ts'
import { tokenPrefix } from '../../schema/tokens/token-value.ts'

// Examples for the documentation, all of one team. Tests validate each of them against its schema.

const ada = { id: '6b1f4e0a-93c5-4c36-9d5b-0a7f3c1be482', name: 'Ada Byron', email: 'ada@acme.example' }

const team = {
  slug: 'acme',
  name: 'Acme Inc.',
  timezone: 'Europe/Berlin',
  gravatar_email: 'team@acme.example',
  avatar_url: avatarUrl('team@acme.example'),
  created_at: '2025-03-03T08:15:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
}

const app = {
  id: 'deploy',
  name: products.deploy.name,
  description: products.deploy.about,
  url: 'https://deploy.example/acme',
  status: 'active',
  connected_at: '2025-03-04T10:00:00.000Z',
}

const period = { period_start: '2026-01-01', period_end: '2026-01-31' }
const line = { app_id: 'deploy', currency: 'eur', ...period }
const invoice = {
  id: '0d6c1f35-5b0e-4f0b-8b0c-7f2d4c9a6e11',
  number: 'ACME-0042',
  app_id: 'deploy',
  status: 'open',
  currency: 'eur',
  subtotal: 13_900,
  tax: 2641,
  total: 16_541,
  amount_due: 16_541,
  amount_paid: 0,
  invoice_date: '2026-02-01',
  due_date: '2026-02-15',
  paid_at: null,
  ...period,
  lines: [
    { id: '8c7b0f2e-3c1d-4a8e-9a51-d1f0b6a7c3e4', description: 'Seats', quantity: 10, unit_amount: 990, amount: 9900, ...line },
    {
      id: '2f9a6d51-7e44-4b1c-8f37-5e0c9b8a1d26',
      description: 'Build minutes, 1,000 each',
      quantity: 4,
      unit_amount: 1000,
      amount: 4000,
      ...line,
    },
  ],
}

const member = {
  ...ada,
  role: 'owner',
  accessible_app_ids: null,
  avatar_url: avatarUrl(ada.email),
  joined_at: '2025-03-03T08:15:00.000Z',
}

const token = {
  id: 'b7e2c8d0-1a4f-4e6b-9c3d-58f0a2b6d914',
  name: 'Nightly report',
  hint: `${tokenPrefix.team}…qFrJ`,
  scopes: ['acct:team:invoices:read', 'acct:team:members:read'],
  created_by: { id: ada.id, name: ada.name },
  created_at: '2025-11-20T14:02:11.000Z',
  last_used_at: '2026-01-31T02:00:00.000Z',
  expires_at: '2026-11-20T14:02:11.000Z',
  revoked_at: null,
}

/** Example of the identifier of an event. */
export const eventId = '5b0e8f6c-7a2d-4c13-9e4b-0d6f1a8c3b27'

/** Returns an example of an event of a type. */
export const eventSample = (type: EventType) =>
  eventBody(exampleEvent(type, { id: eventId, team: team.slug, at: new Date('2026-01-31T09:30:00.000Z') }))

/** Example of a cursor of the feed. */
export const cursorSample = 'Y3Vyc29yIG9mIHRoZSBmZWVkLCBvcGFxdWU'

const webhook = {
  id: 'e4a7c1d0-8b52-4f96-a3e7-6c0d9b1f2e48',
  url: 'https://hooks.acme.example/accounts',
  description: 'Access system',
  types: ['member.joined', 'member.removed'],
  state: 'enabled',
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  created_at: '2025-11-20T14:02:11.000Z',
  updated_at: '2025-11-20T14:02:11.000Z',
}

const event = eventSample('member.updated')
const delivery = {
  id: '9d3e5f70-1c2b-4a68-b7d4-0e8f6a5c3b21',
  event,
  attempt: 1,
  at: '2026-01-31T09:30:00.000Z',
  result: 'delivered',
  status: 204,
  latency_milliseconds: 87,
  request_headers: { 'content-type': 'application/json', 'webhook-id': event.id, 'webhook-timestamp': '1769851800' },
  request_body: JSON.stringify(event),
  response_body: '',
  error: null,
}

const viewer = {
  kind: 'personal_token',
  ...ada,
  team: null,
  teams: [team.slug],
  scopes: ['teams', 'acct:team:members:read'],
  client_id: null,
  expires_at: '2026-06-30T00:00:00.000Z',
}

const capability = ({ value, label }: { value: string; label: string }) => ({ id: value, label })
const capabilities = {
  condition_operators: ruleCapabilities.conditionOperators.map(({ value, label, valueType }) => ({
    id: value,
    label,
    value_type: valueType,
  })),
  match_types: ruleCapabilities.matchTypes.map(capability),
  action_results: ruleCapabilities.actionResults.map(capability),
  server_scope_modes: ruleCapabilities.serverScopeModes.map(capability),
  max_rule_group_depth: ruleCapabilities.maxRuleGroupDepth,
}

/** A resource of each kind as a response contains it, by the name of its GraphQL type, with all optional members. */
export const samples: Readonly<Record<string, object>> = {
  Team: team,
  TeamConnectedApp: app,
  TeamInvoice: invoice,
  TeamMember: member,
  TeamToken: token,
  Event: event,
  Webhook: webhook,
  WebhookDelivery: delivery,
  Viewer: viewer,
  RuleCapabilities: capabilities,
}

/** Example values of the path parameters. */
export const pathSamples: Readonly<Record<string, string>> = {
  teamSlug: team.slug,
  appId: app.id,
  invoiceId: invoice.id,
  userId: member.id,
  tokenId: token.id,
  webhookId: webhook.id,
}

/** Example of a request identifier. */
export const requestIdSample = '3f1c9a52-6d0e-4b7a-8c11-9e4d2f7b5a60'

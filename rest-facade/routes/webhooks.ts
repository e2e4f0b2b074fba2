import { z } from 'zod'
import { deliveryDays, webhookRules } from '../../schema/webhooks/rules.ts'
import { route } from '../route.ts'
import { pageQuery } from '../query.ts'

const tag = 'Webhooks'
const webhook = `id: webhookId url description types state failing_since: failingSince disabled_at: disabledAt
  disabled_reason: disabledReason created_at: createdAt updated_at: updatedAt`
const delivery = `id: deliveryId event { id: eventId type occurred_at: occurredAt team sequence actor { kind id: userId name } data }
  attempt at result status latency_milliseconds: latencyMilliseconds request_headers: requestHeaders request_body: requestBody
  response_body: responseBody error`

export const webhookRoutes = [
  route({
    operationId: 'v1.teams.webhooks.index',
    tool: 'list_webhooks',
    method: 'get',
    path: '/v1/teams/{teamSlug}/webhooks',
    tag,
    summary: 'List webhooks',
    description: 'Lists the webhooks of a team, oldest first. A team can have 20. Secrets are never returned.',
    document: `query ($teamSlug: String!) { team(slug: $teamSlug) { webhooks { ${webhook} } } }`,
    response: { kind: 'list', at: 'team.webhooks' },
  }),
  route({
    operationId: 'v1.teams.webhooks.show',
    tool: 'get_webhook',
    method: 'get',
    path: '/v1/teams/{teamSlug}/webhooks/{webhookId}',
    tag,
    summary: 'Show a webhook',
    description: 'Retrieves one webhook of a team. Its secret is never returned.',
    document: `query ($teamSlug: String!, $webhookId: ID!) { team(slug: $teamSlug) { webhook(id: $webhookId) { ${webhook} } } }`,
    response: { kind: 'resource', at: 'team.webhook' },
  }),
  route({
    operationId: 'v1.teams.webhooks.update',
    tool: 'update_webhook',
    method: 'patch',
    path: '/v1/teams/{teamSlug}/webhooks/{webhookId}',
    tag,
    summary: 'Update a webhook',
    description:
      'Changes the URL, the description or the types of a webhook, disables it, or enables it again: it then continues with the first event that was not delivered. Absent members stay unchanged. To change the URL or the types, the credential needs the scopes of the events that are delivered, too. Owners create webhooks and rotate their secrets on the account site.',
    body: z.object(webhookRules).partial(),
    example: { types: ['member.joined', 'member.removed'], enabled: true },
    document: `mutation ($teamSlug: String!, $webhookId: ID!, $url: String, $description: String, $types: [EventType!], $enabled: Boolean) {
      updateWebhook(input: { team: $teamSlug, id: $webhookId, url: $url, description: $description, types: $types, enabled: $enabled }) {
        webhook { id: webhookId }
      }
    }`,
    response: { kind: 'empty' },
  }),
  route({
    operationId: 'v1.teams.webhooks.deliveries.index',
    tool: 'list_deliveries',
    method: 'get',
    path: '/v1/teams/{teamSlug}/webhooks/{webhookId}/deliveries',
    tag,
    summary: 'List deliveries',
    description: `Lists the attempts of the last ${deliveryDays} days to deliver events to a webhook, latest first. Event and request are null where the credential may not read events of the type.`,
    query: z.object(pageQuery),
    document: `query ($teamSlug: String!, $webhookId: ID!, $page: Int, $perPage: Int) {
      team(slug: $teamSlug) { webhook(id: $webhookId) { deliveries(page: $page, perPage: $perPage) { nodes { ${delivery} } total page perPage } } }
    }`,
    response: { kind: 'page', at: 'team.webhook.deliveries' },
  }),
]

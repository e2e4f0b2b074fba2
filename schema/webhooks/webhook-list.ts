import { builder } from '../builder/builder.ts'
import { pageType } from '../builder/pagination.ts'
import { withDates } from '../builder/with-dates.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { defineList } from '../lists/list.ts'
import { loadTeamSlugs } from '../tokens/team-slugs.ts'
import { WebhookDeliveryResultType, WebhookDeliveryType } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import { deliveryDays } from './rules.ts'
import { WebhookType } from './webhook.ts'

type DeliveryRow = Omit<Delivery, 'at'> & { at: string }

interface DeliveryFilters {
  result?: Delivery['result'] | null | undefined
}

const deliveryList = defineList<DeliveryRow, Delivery, 'time', DeliveryFilters>({
  name: 'webhook_deliveries',
  rows: (webhook) => `FROM webhook_deliveries r JOIN webhooks w ON w.id = r.webhook_id WHERE r.webhook_id = ${webhook}`,
  id: 'r.id',
  columns: `r.id, r.webhook_id AS "webhookId", r.type, r.entry_id AS "entryId", r.part, r.attempt, r.at, r.result, r.status,
    r.latency_milliseconds AS "latencyMilliseconds", r.response_body AS "responseBody", r.error,
    w.team_id AS "teamId", (SELECT t.slug FROM teams t WHERE t.id = w.team_id) AS team`,
  orders: { time: { keys: [['r.at', 'timestamptz']] } },
  filters: { result: ({ value }) => `r.result = ${value}::"WebhookDeliveryResult"` },
  toNode: (row) => withDates(row, ['at']),
})

builder.objectFields(WebhookType, (t) =>
  listFields(t, 'deliveries', {
    description: `The attempts of the last ${deliveryDays} days, latest first.`,
    page: pageType('WebhookDeliveryPage', WebhookDeliveryType),
    connection: connectionType('WebhookDelivery', WebhookDeliveryType),
    list: deliveryList,
    args: { result: t.arg({ type: WebhookDeliveryResultType, description: 'Only attempts that ended this way.' }) },
    query: ({ result }) => ({ filters: { result }, orderBy: { field: 'time', direction: 'desc' } }),
  }),
)

builder.objectField(WebhookType, 'delivery', (t) =>
  t.field({
    description: `One attempt of the last ${deliveryDays} days.`,
    type: WebhookDeliveryType,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the attempt.' }) },
    resolve: async ({ id: webhookId, teamId }, args, context) => {
      const id = parseIdentifier(args.id, ['WebhookDelivery'])
      const { webhookDelivery } = context.database.prisma
      const delivery = isIdentifier(id) ? await webhookDelivery.findUnique({ where: { id, webhookId } }) : null
      if (!delivery) throw notFound()
      const [team = null] = teamId === null ? [] : await loadTeamSlugs(context, [teamId])
      return { ...delivery, teamId, team }
    },
  }),
)

import type { Webhook } from '../../prisma/generated/client/client.ts'
import { readRows, webhookColumns } from '../../prisma/statement/read-row.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { operatorOnly, readWebhooks } from '../core/requires.ts'
import { isIdentifier } from '../core/validation.ts'
import { loadBatched } from '../lists/batch.ts'
import { TeamType } from '../teams/team.ts'
import { findWebhook } from './own-webhook.ts'
import { WebhookType } from './webhook.ts'

const select = (name: string, condition: string) => (database: Context['database'], value: unknown[]) =>
  readRows<Webhook>(database.pool, name, `SELECT ${webhookColumns} FROM webhooks w WHERE ${condition} ORDER BY created_at, id`, value)
const webhooksOfTeams = select('webhooks_of_teams', 'team_id = ANY ($1::uuid[])')
const webhooksOfAllTeams = select('webhooks_of_all_teams', 'team_id IS NULL')

builder.objectFields(TeamType, (t) => ({
  webhooks: t.field({
    description: 'The webhooks of the team, of which it can have 20.',
    type: [WebhookType],
    requires: readWebhooks,
    complexity: { field: 1, multiplier: 20 },
    resolve: async ({ id }, _, context) => {
      const load = async (ids: string[]) => Map.groupBy(await webhooksOfTeams(context.database, [ids]), ({ teamId }) => teamId ?? '')
      return (await loadBatched(context, 'webhooks of teams', id, load)) ?? []
    },
  }),
  webhook: t.field({
    description: 'One webhook of the team.',
    type: WebhookType,
    requires: readWebhooks,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the webhook.' }) },
    resolve: async (team, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['Webhook'], team)
      const webhook = isIdentifier(id) ? await prisma.webhook.findUnique({ where: { id, teamId: team.id } }) : null
      if (!webhook) throw notFound()
      return webhook
    },
  }),
}))

builder.queryFields((t) => ({
  webhooks: t.field({
    description: 'The webhooks of all teams’ events, which belong to the operator.',
    type: [WebhookType],
    requires: operatorOnly,
    resolve: (_, __, { database }) => webhooksOfAllTeams(database, []),
  }),
  webhook: t.field({
    description: 'A webhook of any team, or of all teams’ events.',
    type: WebhookType,
    requires: operatorOnly,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the webhook.' }) },
    resolve: (_, { id }, context) => findWebhook(context, id, operatorOnly),
  }),
}))

interface Health {
  delivered: number
  failed: number
  tests: number
}

const HealthType = builder.objectRef<Health>('WebhookHealth').implement({
  description: 'The attempts of the last 24 hours.',
  fields: (t) => ({
    delivered: t.exposeInt('delivered', { description: 'How many succeeded.' }),
    failed: t.exposeInt('failed', { description: 'How many failed.' }),
    tests: t.exposeInt('tests', { description: 'How many test events were sent, which the other numbers do not include.' }),
  }),
})

const countAttempts = statement<Health & { id: string }, [ids: readonly string[], since: Date]>(
  'webhook_health',
  `SELECT webhook_id AS id, (count(*) FILTER (WHERE result = 'delivered' AND entry_id IS NOT NULL))::int AS delivered,
     (count(*) FILTER (WHERE result = 'failed' AND entry_id IS NOT NULL))::int AS failed, (count(*) FILTER (WHERE entry_id IS NULL))::int AS tests
   FROM webhook_deliveries WHERE webhook_id = ANY ($1::uuid[]) AND at > $2::timestamptz GROUP BY webhook_id`,
)

builder.objectField(WebhookType, 'lastDay', (t) =>
  t.field({
    description: 'How many attempts of the last 24 hours succeeded and failed, and how many test events were sent.',
    type: HealthType,
    resolve: async ({ id }, _, context) => {
      const since = new Date(context.now().getTime() - 86_400_000)
      const load = async (ids: string[]) => new Map((await countAttempts(context.database.pool, ids, since)).map((row) => [row.id, row]))
      return (await loadBatched(context, 'webhook health', id, load)) ?? { delivered: 0, failed: 0, tests: 0 }
    },
  }),
)

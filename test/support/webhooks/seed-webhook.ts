import type { Team } from '../../../prisma/generated/client/client.ts'
import type { TestService } from '../service/service.ts'
import { insertDelivery } from './delivery-row.ts'

/** Adds a webhook that fails, with deliveries of a test event and of an entry of the audit log. Returns the parameters of their pages. */
export async function seedWebhook({ database, clock }: TestService, team: Team, entryId: string, description: string) {
  const { prisma } = database
  const at = clock.now()
  await insertDelivery(database.pool, team.id, at)
  const { id: webhook } = await prisma.webhook.findFirstOrThrow({ where: { teamId: team.id } })
  const url = `https://example.com/${'long-path/'.repeat(20)}`
  await prisma.webhook.update({ where: { id: webhook }, data: { url, description, types: ['team.updated'], failingSince: at } })
  const attempt = { webhookId: webhook, entryId, type: 'team.updated', part: 0, attempt: 1, at } as const
  const answer = {
    result: 'failed',
    latencyMilliseconds: 15_000,
    status: 500,
    responseBody: `<pre>${'long '.repeat(20)}${'x'.repeat(200)}`,
  } as const
  const { id: delivery } = await prisma.webhookDelivery.create({ data: { ...attempt, ...answer } })
  return { webhook, delivery }
}

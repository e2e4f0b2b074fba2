import type { Team } from '../../../prisma/generated/client/client.ts'
import type { TestService } from '../service/service.ts'
import { createWebhook } from './webhook.ts'

/** Creates a webhook that fails, with deliveries of an entry of the audit log and of a test event. Returns the parameters of their pages. */
export async function seedWebhook(service: TestService, team: Team, entryId: string, description: string) {
  const { prisma } = service.database
  const now = service.clock.now()
  const { id: webhookId } = await createWebhook(service, team, `https://example.com/${'long-path/'.repeat(20)}`, ['team.updated'])
  await prisma.webhook.update({ where: { id: webhookId }, data: { description, failingSince: now } })
  const attempt = { webhookId, type: 'team.updated', part: 0, attempt: 1, at: now, result: 'failed', latencyMilliseconds: 15_000 } as const
  const answer = { status: 500, responseBody: `<pre>${'long '.repeat(20)}${'x'.repeat(200)}` }
  const delivery = await prisma.webhookDelivery.create({ data: { ...attempt, entryId, ...answer } })
  await prisma.webhookDelivery.create({ data: { ...attempt, error: 'The connection was refused.' } })
  return { webhook: webhookId, delivery: delivery.id }
}

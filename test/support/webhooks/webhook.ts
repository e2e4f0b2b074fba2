import type { Team } from '../../../prisma/generated/client/client.ts'
import type { EventType } from '../../../schema/events/event-types.ts'
import { createWebhookDeliveries } from '../../../src/webhooks/deliveries.ts'
import type { WebhookDeliveries } from '../../../src/webhooks/deliveries.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { settled } from '../data/settled.ts'
import { executeAs, operator } from '../service/in-process.ts'
import type { TestService } from '../service/service.ts'
import { secretKey } from '../service/test-settings.ts'

interface Created {
  id: string
  secret: string
}

/** Creates a webhook of a team, or of all teams, as an operator. Types are those of GraphQL. */
export async function createWebhook(
  service: Pick<TestService, 'database' | 'clock' | 'mails'>,
  team: Pick<Team, 'slug'> | null,
  url: string,
  types: readonly EventType[] = [],
): Promise<Created> {
  const document = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { webhookId } secret } }`
  const named = types.map((type) => type.toUpperCase().replaceAll('.', '_'))
  const { data, refusal } = await executeAs(service, operator, document, { input: { team: team?.slug, url, types: named } })
  if (refusal) throw refusal
  return { id: data.createWebhook.webhook.webhookId, secret: data.createWebhook.secret }
}

/** The deliveries of one process of a service. `deliver` sends what is due, after all changes so far are settled. */
export function deliveriesOf({ database, clock, sendMail, outgoing, log }: TestService): WebhookDeliveries & { deliver(): Promise<void> } {
  const report = (error: unknown) => log.error({ err: error }, 'delivering events failed')
  const deliveries = createWebhookDeliveries({
    database,
    now: clock.now,
    sendMail,
    outgoing,
    deriveSecret: secretDeriver(secretKey),
    report,
  })
  return {
    ...deliveries,
    async deliver() {
      await settled(database.pool)
      await deliveries.run()
    },
  }
}

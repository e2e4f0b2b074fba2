import { randomUUID } from 'node:crypto'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { EventType } from '../../../schema/events/event-types.ts'
import { createWebhookDeliveries } from '../../../src/webhooks/deliveries.ts'
import type { WebhookDeliveries } from '../../../src/webhooks/deliveries.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { settled } from '../data/settled.ts'
import { createOwnedTeam } from '../data/team.ts'
import { request } from '../http/request.ts'
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
    worker: randomUUID(),
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

/** A webhook of a new team, whose name `rename` changes, which is an event. */
export async function hookedTeam(service: TestService, url: string) {
  const { team, token, owner } = await createOwnedTeam(service.database)
  const { id } = await createWebhook(service, team, url)
  let count = 0
  const rename = async () =>
    void (await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name: `Name ${count++}` } }))
  return { team, token, owner, id, rename }
}

/** The attempts of a webhook, in their order. */
export const attemptsOf = ({ database }: Pick<TestService, 'database'>, id: string) =>
  database.prisma.webhookDelivery.findMany({ where: { webhookId: id }, orderBy: [{ at: 'asc' }, { attempt: 'asc' }] })

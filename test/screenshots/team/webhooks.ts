import { isEventType } from '../../../schema/events/event-types.ts'
import { eventParts } from '../../../schema/events/catalogue.ts'
import type { TestService } from '../../support/service/service.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'
import type { createHistory } from './history.ts'
import { teamSlug } from './people.ts'

const hour = 3_600_000

/** What the endpoint that fails answers. */
const failures = [
  {
    status: 503,
    responseBody: '<html>\n<head><title>503 Service Temporarily Unavailable</title></head>\n<body>nginx</body>\n</html>\n',
    error: null,
    latencyMilliseconds: 184,
  },
  { status: null, responseBody: null, error: 'There was no complete response within 15 seconds.', latencyMilliseconds: 15_003 },
  { status: 500, responseBody: '{"error":"column \\"plan\\" does not exist"}', error: null, latencyMilliseconds: 421 },
] as const

/** Webhooks that work, fail and are disabled, with deliveries of what happened in the team. */
export async function createWebhooks(service: TestService, { at }: ReturnType<typeof createHistory>) {
  const { database, clock } = service
  const { prisma } = database
  const team = await prisma.team.findUniqueOrThrow({ where: { slug: teamSlug } })
  const create = async (daysAgo: number, url: string, description: string, types: readonly string[], data: object) => {
    at(daysAgo)
    const { id } = await createWebhook(service, { slug: teamSlug }, 'http://127.0.0.1:9/hook', types.filter(isEventType))
    await prisma.webhook.update({ where: { id }, data: { url, description, ...data } })
    at(0)
    return id
  }
  const ago = (hours: number) => new Date(clock.now().getTime() - hours * hour)
  const working = await create(120, 'https://hooks.northwind.example/team-events', 'Directory and chat', [], {})
  const failing = await create(75, 'https://crm.northwind.example/api/v2/webhooks/billing', 'Customer database', invoiceEvents, {
    failingSince: ago(30),
  })
  await create(200, 'https://old-intranet.northwind.example/hook', '', ['member.joined', 'member.removed'], {
    disabledAt: ago(400),
    disabledReason: 'gone',
  })
  const entries = await prisma.auditEntry.findMany({
    where: { teamId: team.id, at: { lt: ago(24) } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: 150,
  })
  const events = entries.flatMap(({ id, action }) => {
    const event = eventParts.find((each) => each.action === action && each.part === 0)
    return event ? [{ entryId: id, type: event.type, part: 0 }] : []
  })
  const delivered = (webhookId: string, hours: (index: number) => number) => (event: (typeof events)[number], index: number) =>
    ({
      webhookId,
      ...event,
      attempt: 1,
      at: ago(hours(index)),
      result: 'delivered',
      status: 204,
      latencyMilliseconds: 38 + ((index * 37) % 190),
    }) as const
  const failed = (attempt: number) => (event: (typeof events)[number], index: number) =>
    ({
      webhookId: failing,
      ...event,
      attempt,
      at: ago(0.2 + index * 5 + (3 - attempt) * 1.4),
      result: 'failed',
      ...(failures[(index + attempt) % failures.length] ?? failures[0]),
    }) as const
  const data = [
    ...events.slice(0, 60).map(delivered(working, (index) => index * 2.1)),
    ...events.slice(10, 30).map(delivered(failing, (index) => 31 + index * 3)),
    ...[1, 2, 3].flatMap((attempt) => events.slice(0, 5).map(failed(attempt))),
  ]
  await prisma.webhookDelivery.createMany({ data })
  const latest = await prisma.webhookDelivery.findFirstOrThrow({
    where: { webhookId: failing, status: 503 },
    orderBy: { at: 'desc' },
  })
  return { webhook: failing, delivery: latest.id }
}

const invoiceEvents = ['invoice.issued', 'invoice.updated', 'invoice.paid', 'invoice.overdue']

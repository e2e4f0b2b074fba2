import { afterAll, describe, expect, test } from 'vitest'
import { executeAs, operator } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { attemptsOf, deliveriesOf, hookedTeam } from '../support/webhooks/webhook.ts'

const service = useService()
const { database, clock } = service
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const minute = 60_000
const day = 1440 * minute

const hooked = ({ url }: { url: string }) => hookedTeam(service, url)
const attempts = (id: string) => attemptsOf(service, id)
const stateOf = (id: string) => database.prisma.webhook.findUniqueOrThrow({ where: { id } })
const nextDue = async (id: string) => (await database.prisma.webhookRetry.findFirst({ where: { webhookId: id } }))?.dueAt.getTime() ?? null

describe('an event that was not accepted', () => {
  test('is attempted again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and every 10 h for three days, by the same identifier', async () => {
    const receiver = await startReceiver((response) => response.writeHead(500).end('out of order'))
    const { id, rename } = await hooked(receiver)
    await rename()
    const first = clock.now().getTime()
    await deliveries.deliver()
    const delays: number[] = []
    for (let due = await nextDue(id); due !== null; due = await nextDue(id)) {
      const last = (await attempts(id)).at(-1)?.at.getTime() ?? 0
      delays.push((due - last) / 1000)
      clock.advance(due - clock.now().getTime() + 1)
      await deliveries.deliver()
    }
    const expected = [5, 300, 1800, 7200, 18_000]
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual((expected[index] ?? 36_000) * 0.8 - 0.1)
      expect(delay).toBeLessThanOrEqual((expected[index] ?? 36_000) * 1.2 + 0.1)
    }
    const all = await attempts(id)
    expect(all.map(({ attempt }) => attempt)).toEqual(all.map((_, index) => index + 1))
    expect((all.at(-1)?.at.getTime() ?? 0) - first).toBeLessThanOrEqual(3 * day + minute)
    expect((all.at(-1)?.at.getTime() ?? 0) - first).toBeGreaterThan(2 * day)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(receiver.received.length)
    expect(all[0]).toMatchObject({ result: 'failed', status: 500, responseBody: 'out of order', error: null })
  })

  test('does not hold up the next ones, which are delivered', async () => {
    const receiver = await startReceiver((response, { event }) => {
      const isPoisonous = JSON.stringify(event.data).includes('Name 0')
      response.writeHead(isPoisonous && !JSON.stringify(event.data).includes('Name 1') ? 400 : 200).end()
    })
    const { id, rename } = await hooked(receiver)
    for (let change = 0; change < 20; change++) await rename()
    await deliveries.deliver()
    const all = await attempts(id)
    expect(all.filter(({ result }) => result === 'delivered')).toHaveLength(19)
    expect(await database.prisma.webhookRetry.count({ where: { webhookId: id } })).toBe(1)
    expect(await stateOf(id)).toMatchObject({ failingSince: null, failedEvents: 0 })
  })

  test.each([
    ['200 seconds', '200', 200],
    ['a date', () => new Date(clock.now().getTime() + 10 * minute).toUTCString(), 600],
    ['a day, which is more than the hour that is waited', '86400', 3600],
    ['what is no time', 'soon', 5],
  ])('waits as long as a 429 asks: %s', async (_, retryAfter, seconds) => {
    const value = typeof retryAfter === 'string' ? retryAfter : retryAfter()
    const { id, rename } = await hooked(await startReceiver((response) => response.writeHead(429, { 'retry-after': value }).end()))
    await rename()
    await deliveries.deliver()
    const waited = ((await nextDue(id)) ?? 0) - clock.now().getTime()
    expect(waited / 1000).toBeGreaterThan(seconds * 0.8 - 3)
    expect(waited / 1000).toBeLessThan(seconds * 1.2 + 1)
  })
})

describe('an event that is to be delivered again', () => {
  const redeliver = (deliveryId = '') =>
    executeAs(service, operator, 'mutation ($id: ID!) { redeliver(input: { deliveryId: $id }) { webhook { url } } }', { id: deliveryId })

  test('comes at once by the same identifier, as the next attempt, whether it was accepted or not', async () => {
    const receiver = await startReceiver()
    const { id, rename } = await hooked(receiver)
    await rename()
    await deliveries.deliver()
    const [first] = await attempts(id)
    expect((await redeliver(first?.id)).refusal).toBeNull()
    await deliveries.deliver()
    expect((await attempts(id)).map(({ attempt, result }) => [attempt, result])).toEqual([
      [1, 'delivered'],
      [2, 'delivered'],
    ])
    expect(receiver.received[1]?.event).toEqual(receiver.received[0]?.event)
  })

  test('is refused while the webhook is disabled', async () => {
    const { id, rename } = await hooked(await startReceiver())
    await rename()
    await deliveries.deliver()
    await database.prisma.webhook.update({ where: { id }, data: { disabledAt: clock.now(), disabledReason: 'request' } })
    const [first] = await attempts(id)
    expect((await redeliver(first?.id)).refusal?.details.errors).toEqual({ id: ['The webhook is disabled. Enable it first.'] })
    expect(await database.prisma.webhookRetry.count({ where: { webhookId: id } })).toBe(0)
  })
})

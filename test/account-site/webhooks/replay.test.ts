import { afterAll, describe, expect, test } from 'vitest'
import { parseLocalTime, localTime } from '../../../src/account-site/webhooks/deliveries/local-time.ts'
import { noticeOf, valuesOf } from '../../support/account-site/page-content.ts'
import { wrongOf } from '../../support/account-site/team.ts'
import { useService } from '../../support/service/service.ts'
import { ownedWebhook } from '../../support/webhooks/owned.ts'
import { deliveriesOf } from '../../support/webhooks/webhook.ts'

const service = useService()
const { clock } = service
const { prisma } = service.database
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const minute = 60_000
const timezone = 'Asia/Kolkata'

describe('replaying events', () => {
  test('delivers those of a time in the time zone of the user again, by default those that were never delivered', async () => {
    let isBroken = false
    const { owner, receiver, path, browser, rename } = await ownedWebhook(service, (response) =>
      response.writeHead(isBroken ? 500 : 204).end(),
    )
    await prisma.user.update({ where: { id: owner.id }, data: { timezone } })
    const at = (minutes: number) => localTime(new Date(clock.now().getTime() + minutes * minute), timezone)
    await rename('Long ago')
    await deliveries.deliver()
    clock.advance(30 * minute)
    await rename('Delivered')
    await deliveries.deliver()
    isBroken = true
    await rename('Failed')
    await deliveries.deliver()
    isBroken = false
    receiver.received.length = 0
    const replay = async (fields: Record<string, string | string[]>) => {
      const after = await browser.press(await browser.open(path), 'Replay events', { since: at(-5), until: at(5), ...fields })
      await deliveries.deliver()
      const names = receiver.received.splice(0).map(({ event }) => event.data['changes'])
      return [noticeOf(after)[1], names.length]
    }
    expect(await replay({})).toEqual(['1 event is delivered again.', 1])
    expect(await replay({})).toEqual(['There are no such events in this period. Nothing is delivered again.', 0])
    expect(await replay({ onlyFailed: [] })).toEqual(['2 events are delivered again.', 2])
    expect(await replay({ onlyFailed: [], since: at(-60) })).toEqual(['3 events are delivered again.', 3])
    expect(await replay({ onlyFailed: [], until: at(-2) })).toEqual([
      'There are no such events in this period. Nothing is delivered again.',
      0,
    ])
  })

  test('starts with the last day, or with the time since which the webhook fails', async () => {
    const { id, owner, path, browser } = await ownedWebhook(service)
    await prisma.user.update({ where: { id: owner.id }, data: { timezone } })
    const since = async () => {
      const page = await browser.open(path)
      const form = page.root.querySelectorAll('main form').findIndex((each) => each.querySelector('[name=since]'))
      return valuesOf(page, form).get('since')
    }
    expect(await since()).toBe(localTime(new Date(clock.now().getTime() - 86_400_000), timezone))
    await prisma.webhook.update({ where: { id }, data: { failingSince: new Date('2026-01-02T20:04:00Z') } })
    expect(await since()).toBe('2026-01-03T01:34')
  })

  test.each([
    [{ since: '' }, 'since', 'Enter a date and a time.'],
    [{ until: '2026-02-30T10:00' }, 'until', 'Enter a date and a time.'],
    [{ since: '2026-02-03T10:00', until: '2026-02-03T10:00' }, 'until', 'Enter a time after the start of the period.'],
  ])('refuses %j', async (fields, field, message) => {
    const { browser, page } = await ownedWebhook(service)
    const refused = await browser.press(page, 'Replay events', { since: '2026-02-01T10:00', until: '2026-02-02T10:00', ...fields })
    expect([refused.status, wrongOf(refused, field)]).toEqual([422, message])
  })
})

test.each([
  ['2026-11-21T09:30', null, '2026-11-21T09:30:00.000Z'],
  ['2026-11-21T09:30:59', 'Asia/Kolkata', '2026-11-21T04:00:00.000Z'],
  ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['2026-01-01T00:00', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  // Summer time skips it.
  ['2026-03-29T02:30', 'Europe/Berlin', undefined],
  ['2026-02-29T10:00', null, undefined],
  ['0000-01-01T10:00', null, undefined],
  ['yesterday', null, undefined],
])('the time %s in %s is %s', (local, zone, expected) => {
  expect(parseLocalTime(local, zone)?.toISOString()).toBe(expected)
})

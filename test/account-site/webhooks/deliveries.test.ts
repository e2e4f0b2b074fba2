import { afterAll, describe, expect, test } from 'vitest'
import { contentOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { rowsOf } from '../../support/account-site/team.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'
import { ownedWebhook } from '../../support/webhooks/owned.ts'
import { waitFor } from '../../support/service/wait.ts'
import { deliveriesOf } from '../../support/webhooks/webhook.ts'

const service = useService()
const { clock } = service
const { prisma } = service.database
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const links = ({ root }: Page, within: string) =>
  root.querySelectorAll(`${within} a`).map((link) => [link.text.trim(), link.getAttribute('href')?.replaceAll('&amp;', '&') ?? ''])
const opened = (page: Page, row = 0) => page.root.querySelectorAll('.rows tbody a')[row]?.getAttribute('href') ?? ''
/** The texts as they were sent and received. */
const textsOf = ({ root }: Page) =>
  Object.fromEntries(
    root.querySelectorAll('.sent').map((each) => [each.querySelector('h3')?.text, each.querySelector('pre, .empty')?.text]),
  )

describe('the deliveries of a webhook', () => {
  test('are listed with one row for each attempt, the latest first, and filtered by their result', async () => {
    let isBroken = true
    const { path, browser, rename } = await ownedWebhook(service, (response) => response.writeHead(isBroken ? 503 : 204).end())
    await rename('One')
    await deliveries.deliver()
    isBroken = false
    clock.advance(7_000)
    await deliveries.deliver()
    await browser.press(await browser.open(`${path}/test`), 'Send test event', { Event: 'token.created' })
    const page = await browser.open(path)
    const rows = rowsOf(page).map(([event, result, response, attempt, , duration]) => [
      event,
      result,
      response,
      /^\d+ ms$/.test(duration ?? ''),
      attempt,
    ])
    expect(rows).toEqual([
      ['token.created Test', 'Delivered', '204 No Content', true, '1'],
      ['team.updated', 'Delivered', '204 No Content', true, '2'],
      ['team.updated', 'Failed', '503 Service Unavailable', true, '1'],
    ])
    const kinds = links(page, 'nav[aria-label=Result]')
    expect(kinds.map(([label]) => label)).toEqual(['All', 'Delivered', 'Failed'])
    const failed = await browser.open(kinds[2]?.[1] ?? '')
    expect([rowsOf(failed).length, failed.root.querySelector('nav[aria-label=Result] [aria-current]')?.text]).toEqual([1, 'Failed'])
    expect(rowsOf(await browser.open(`${path}?result=nonsense`))).toHaveLength(3)
  })

  test('have pages of ten, and say so while there are none', async () => {
    const { id, path, browser, page } = await ownedWebhook(service)
    expect(contentOf(page)).toContain('Events of the last 30 days appear here, with the responses of your endpoint.')
    const attempt = {
      webhookId: id,
      type: 'team.updated',
      entryId: id,
      part: 0,
      result: 'delivered',
      latencyMilliseconds: 1,
      at: clock.now(),
    } as const
    await prisma.webhookDelivery.createMany({ data: Array.from({ length: 11 }, (_, index) => ({ ...attempt, attempt: index + 1 })) })
    const first = await browser.open(path)
    const next = links(first, '.pages').find(([label]) => label === 'Next page')?.[1] ?? ''
    expect([rowsOf(first).length, rowsOf(await browser.open(next)).length]).toEqual([10, 1])
    expect(contentOf(await browser.open(`${path}?result=FAILED`))).toContain(
      'There are no deliveries with this result in the last 30 days.',
    )
  })

  test('each have a page with the request and the response, on which the event is delivered again', async () => {
    const { team, id, receiver, list, path, browser, rename } = await ownedWebhook(service, (response) =>
      response.writeHead(500).end('<script>alert(1)</script>'),
    )
    await rename('Two')
    await deliveries.deliver()
    const page = await browser.open(opened(await browser.open(path)))
    expect(heading(page)).toEqual([200, 'Delivery of team.updated'])
    expect(links(page, 'nav[aria-label=Breadcrumbs]').slice(1)).toEqual([
      ['Webhooks', list],
      [receiver.url, path],
    ])
    const { headers, event, body } = receiver.received[0] ?? {}
    const texts = textsOf(page)
    const shown = page.root
      .querySelectorAll('.sent')
      .find((each) => each.querySelector('h3')?.text === 'Body')
      ?.querySelector('pre')?.innerHTML
    expect(JSON.parse(shown?.replaceAll('&quot;', '"') ?? '')).toEqual(event)
    expect(JSON.stringify(event)).toBe(body)
    expect(texts['Header fields']).toBe(
      ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
        .map((name) => `${name}: ${String(headers?.[name])}`)
        .join('\n'),
    )
    expect([texts['Response body'], page.root.querySelector('main script')]).toEqual(['<script>alert(1)</script>', null])
    expect(contentOf(page)).toMatch(/Result Failed Status code 500 Internal Server Error Duration \d+ ms/)
    expect(rowsOf(page).map(([attempt, , result, response]) => [attempt, result, response])).toEqual([
      ['1 (this page)', 'Failed', '500 Internal Server Error'],
    ])
    expect(contentOf(page)).toMatch(/The next attempt is at \d+ \w+ \d{4}, \d\d:\d\d UTC/)

    const pressed = browser.press(page, 'Redeliver')
    await waitFor(async () => {
      await deliveries.deliver()
      return receiver.received.length === 2
    })
    const after = await pressed
    expect([heading(after), noticeOf(after)]).toEqual([
      [200, 'Delivery of team.updated'],
      [200, 'The event was sent again. This page shows the new attempt.'],
    ])
    expect([after.url.pathname === page.url.pathname, contentOf(after)]).toEqual([false, expect.stringContaining('Attempt 2')])
    expect(rowsOf(after).map(([attempt, , result]) => [attempt, result])).toEqual([
      ['2 (this page)', 'Failed'],
      ['Attempt 1', 'Failed'],
    ])
    clock.advance(2_000)
    const late = await browser.press(page, 'Redeliver')
    expect([late.url.pathname, noticeOf(late)]).toEqual([
      path,
      [200, 'The event is being delivered again. Refresh the deliveries to see the attempt.'],
    ])
    expect(links(late, '.heading').find(([label]) => label === 'Refresh')).toEqual(['Refresh', `${path}?result=#deliveries`])
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event?.id, event?.id])
    expect(rowsOf(await browser.open(path)).map((row) => row[3])).toEqual(['2', '1'])

    // As after the time for which the audit log is kept.
    await prisma.webhookDelivery.updateMany({ where: { webhookId: id }, data: { entryId: team.id } })
    expect(contentOf(await browser.open(page.url))).toContain('The audit log no longer contains the event.')
  })

  test('of a test event cannot be repeated', async () => {
    const { browser, path } = await ownedWebhook(service)
    await browser.press(await browser.open(`${path}/test`), 'Send test event')
    const delivery = await browser.open(opened(await browser.open(path)))
    expect([contentOf(delivery), delivery.root.querySelectorAll('main button')]).toEqual([expect.stringContaining('Test event'), []])
    expect(textsOf(delivery)['Response body']).toBe('Empty')
    expect(links(delivery, 'main').at(-1)?.[0]).toBe('Send another test event')
  })
})

import { afterAll, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import {
  evaluateInPage,
  expectAccessibleInBothThemes,
  expectFits,
  expectFitsResized,
  openTab,
  signInAt,
  sizes,
} from '../../support/browser/tab.ts'
import { useService } from '../../support/service/service.ts'
import { ownedWebhook } from '../../support/webhooks/owned.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { deliveriesOf } from '../../support/webhooks/webhook.ts'

const service = useService()
const { prisma } = service.database
const browser = useChromium()
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

test('a webhook is created for selected events, its secret copied, and the endpoint tested', async () => {
  const { team, owner, list } = await ownedWebhook(service)
  const receiver = await startReceiver((response) => response.writeHead(200).end('thank you'))
  const tab = await openTab(browser, service, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  await page.goto(service.url + list)
  await page.getByRole('link', { name: 'How to receive them' }).click()
  await page.getByRole('heading', { name: 'Verify deliveries' }).first().waitFor()
  await page.goto(service.url + list)
  await page.getByRole('link', { name: 'New webhook' }).click()
  await page.getByLabel('URL').fill(receiver.url)
  const paid = page.getByRole('checkbox', { name: /^invoice\.paid/ })
  expect(await paid.isVisible()).toBe(false)
  await page.getByLabel('Only selected events').check()
  await paid.check()
  await expectFitsResized(page)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('heading', { name: 'Copy the signing secret' }).waitFor()
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  await page.getByText('Copied.').waitFor()
  const copied = await evaluateInPage(page, ({ navigator }) => navigator.clipboard.readText())
  expect(copied).toBe(await page.locator('#value').innerText())
  await page.getByText('Python', { exact: true }).click()
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize(sizes.phone)
  await expectFitsResized(page)
  await page.setViewportSize(sizes.desktop)

  await page.getByRole('link', { name: 'Continue to the webhook' }).click()
  await page.getByRole('button', { name: 'Send test event' }).click()
  const answer = page.getByRole('group', { name: 'Response of the endpoint' })
  await answer.getByText('thank you').waitFor()
  const [form, below] = [await page.getByLabel('Event', { exact: true }).boundingBox(), await answer.boundingBox()]
  expect([below?.x, below?.width]).toEqual([form?.x, form?.width])
  expect(await answer.getByText('thank you').boundingBox()).toSatisfy(({ y }) => y < sizes.desktop.height)
  await expectAccessibleInBothThemes(page)
  expect([await prisma.webhook.count({ where: { teamId: team.id, types: { equals: ['invoice.paid'] } } }), complaints]).toEqual([1, []])
})

test('the consequences of disabling and deleting a webhook are shown in a dialog', async () => {
  const { id, owner, path } = await ownedWebhook(service)
  const tab = await openTab(browser, service, { viewport: sizes.phone })
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  await page.goto(`${service.url}${path}/settings`)
  for (const [link, text, button] of [
    ['Disable…', 'No events are delivered until you enable it again.', 'Disable this webhook'],
    ['Delete…', 'No more events are delivered to this webhook.', 'Delete this webhook'],
  ] as const) {
    await page.getByRole('link', { name: link }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(text).waitFor()
    await dialog.getByRole('button', { name: button }).click()
    await page.getByRole('status').first().waitFor()
    if (link === 'Disable…') await page.getByRole('link', { name: 'Settings' }).last().click()
  }
  await page.getByText('The webhook was deleted.').waitFor()
  expect([await prisma.webhook.count({ where: { id } }), complaints]).toEqual([0, []])
})

test('a delivery opens from its row on a phone', async () => {
  const { owner, path, rename } = await ownedWebhook(service)
  await rename('Renamed')
  await deliveries.deliver()
  const tab = await openTab(browser, service, { viewport: sizes.phone })
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  await page.goto(service.url + path)
  const row = page.locator('.rows tbody tr').first()
  expect((await row.boundingBox())?.height).toBeLessThan(75)
  await row.locator('summary').click()
  await row.locator('td[data-label=Attempt]').waitFor()
  await row.getByRole('link', { name: 'team.updated' }).click()
  await page.getByRole('heading', { name: 'Delivery of team.updated' }).waitFor()
  await page.getByRole('region', { name: 'Body' }).getByText('"after": "Renamed"').waitFor()
  await expectFits(page)
  expect(complaints).toEqual([])
})

test('the pages of a failing webhook and of its deliveries are not wider than a phone', async () => {
  const { id, owner, path } = await ownedWebhook(service)
  const at = service.clock.now()
  const failingSince = new Date(at.getTime() - 86_400_000)
  const url = 'https://hooks.northwind-traders.example.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX?environment=production'
  await prisma.webhook.update({ where: { id }, data: { url, failingSince } })
  const common = { webhookId: id, entryId: id, part: 0, result: 'failed', latencyMilliseconds: 15_000, at } as const
  const answers = [
    {
      type: 'identity_provider.verification_failed',
      status: null,
      error: 'The host name hooks.northwind-traders.example.com was not found.',
    },
    { type: 'invitation.accepted', status: 503, responseBody: 'x'.repeat(300) },
    { type: 'invoice.paid', status: null, error: 'There was no response within 15 seconds.' },
  ]
  await prisma.webhookDelivery.createMany({ data: answers.map((answer, index) => Object.assign({ attempt: index + 1 }, common, answer)) })
  const tests = Array.from({ length: 12 }, () => Object.assign({ type: 'invoice.paid', attempt: 1 }, common, { entryId: null }))
  const more = Array.from({ length: 120 }, (_, index) => Object.assign({ type: 'invoice.paid', attempt: index + 4 }, common))
  await prisma.webhookDelivery.createMany({ data: [...tests, ...more] })
  await prisma.webhookRetry.create({ data: { webhookId: id, entryId: id, part: 0, attempts: 3, firstAt: at, dueAt: at } })
  const tab = await openTab(browser, service, { viewport: sizes.phone })
  await signInAt(tab, service, owner.email)
  await tab.page.goto(service.url + path)
  const measure = () =>
    evaluateInPage(tab.page, ({ document }) => {
      const width = document.documentElement.clientWidth
      const isWide = (each: any) =>
        each.checkVisibility() && each.getBoundingClientRect().right > width && !each.closest('pre, .visually-hidden')
      const wide = [...document.querySelectorAll('main *')]
        .filter(isWide)
        .map((each: any) => `${each.parentElement.outerHTML.slice(0, 300)}`)
      return [document.documentElement.scrollWidth - width, wide]
    })
  await expectFits(tab.page)
  expect(await measure()).toEqual([0, []])
  for (const row of await tab.page.locator('.rows th > details > summary:visible').all()) await row.click()
  for (const section of await tab.page.locator('.folded > details > summary').all()) await section.click()
  expect(await measure()).toEqual([0, []])
  const test = await prisma.webhookDelivery.findFirst({ where: { webhookId: id, status: 503 } })
  for (const query of [`/test?test=${test?.id}`, '/settings', '/settings?confirm=delete', '/settings?confirm=disable']) {
    await tab.page.goto(service.url + path + query)
    expect([query, ...(await measure())]).toEqual([query, 0, []])
  }
  for (const { id: delivery } of await prisma.webhookDelivery.findMany({ where: { webhookId: id, attempt: { lt: 4 } }, take: 5 })) {
    await tab.page.goto(`${service.url}${path}/deliveries/${delivery}`)
    expect(await measure()).toEqual([0, []])
  }
  const description = 'Synchronisation_of_customers_and_invoices_with_the_system'
  await prisma.webhook.update({ where: { id }, data: { description, disabledAt: at, disabledReason: 'failing' } })
  await tab.page.goto(service.url + path)
  expect(await measure()).toEqual([0, []])
  expect(tab.complaints).toEqual([])
})

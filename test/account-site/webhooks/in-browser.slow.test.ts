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
  const answer = page.getByRole('group', { name: 'Answer of the endpoint' })
  await answer.getByText('thank you').waitFor()
  const [form, beside] = [await page.getByLabel('Event', { exact: true }).boundingBox(), await answer.boundingBox()]
  expect(beside?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0) - 1)
  await expectAccessibleInBothThemes(page)
  expect([await prisma.webhook.count({ where: { teamId: team.id, types: { equals: ['invoice.paid'] } } }), complaints]).toEqual([1, []])
})

test('the consequences of disabling and deleting a webhook are shown in a dialog', async () => {
  const { id, owner, path } = await ownedWebhook(service)
  const tab = await openTab(browser, service, { viewport: sizes.phone })
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  await page.goto(service.url + path)
  for (const [link, text, button] of [
    ['Disable…', 'No events are delivered until you enable it again.', 'Disable this webhook'],
    ['Delete…', 'Events are no longer delivered to it.', 'Delete this webhook'],
  ] as const) {
    await page.getByRole('link', { name: link }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(text).waitFor()
    await dialog.getByRole('button', { name: button }).click()
    await page.getByRole('status').first().waitFor()
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

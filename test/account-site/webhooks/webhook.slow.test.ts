import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, test } from 'vitest'
import { alertOf, contentOf, heading, noticeOf, tokenValueOn, valuesOf } from '../../support/account-site/page-content.ts'
import { wrongOf } from '../../support/account-site/team.ts'
import type { Page } from '../../support/browser/browser.ts'
import { password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { ownedWebhook } from '../../support/webhooks/owned.ts'
import type { Received } from '../../support/webhooks/receiver.ts'
import { deliveriesOf } from '../../support/webhooks/webhook.ts'

const service = useService()
const { clock } = service
const { prisma } = service.database
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const verify = ({ headers, body }: Received, secret: string) =>
  new Webhook(secret).verify(body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])))
/** The titles of what is open. */
const openOn = ({ root }: Page) => root.querySelectorAll('main details[open] > summary').map(({ text }) => text.trim())
const answerOn = ({ root }: Page) => root.querySelector('.answer')?.structuredText.replace(/\s+/g, ' ').trim()

describe('the settings of a webhook', () => {
  test('are changed, and a refused URL stays with everything else that was typed', async () => {
    const { id, browser, path, receiver } = await ownedWebhook(service)
    const page = await browser.open(`${path}/settings`)
    expect(valuesOf(page).get('url')).toBe(receiver.url)
    const typed = { URL: 'ftp://example.com', Description: 'Chat', reach: 'chosen', types: ['token.created'] }
    const refused = await browser.press(page, 'Save', typed)
    expect([refused.status, wrongOf(refused, 'url')]).toEqual([422, 'URL must be an https URL.'])
    expect(openOn(refused)).toEqual(['Choose events'])
    const saved = await browser.press(refused, 'Save', { URL: 'http://127.0.0.1:9/other' })
    expect([noticeOf(saved), heading(saved)]).toEqual([
      [200, 'The webhook was saved.'],
      [200, 'Chat'],
    ])
    expect(openOn(saved)).toEqual([])
    const stored = await prisma.webhook.findUniqueOrThrow({ where: { id } })
    expect(stored).toMatchObject({ url: 'http://127.0.0.1:9/other', description: 'Chat', types: ['token.created'] })
    await browser.press(saved, 'Save', { reach: 'all' })
    expect((await prisma.webhook.findUniqueOrThrow({ where: { id } })).types).toEqual([])
  })

  test('can be deleted after the consequence in words', async () => {
    const { id, list, path, browser } = await ownedWebhook(service)
    const asked = await browser.openConfirmation(await browser.open(`${path}/settings`), 'Delete this webhook')
    expect(contentOf(asked)).toContain('No more events are delivered to this webhook.')
    const after = await browser.press(asked, 'Delete this webhook')
    expect([after.url.pathname, noticeOf(after)]).toEqual([list, [200, 'The webhook was deleted.']])
    expect(await prisma.webhook.count({ where: { id } })).toBe(0)
  })
})

describe('a test event', () => {
  test('is sent at once, and the answer of the endpoint is beside the form, also after a reload', async () => {
    const { secret, receiver, browser, path } = await ownedWebhook(service, (response) => response.writeHead(418).end('I am <b>a teapot'))
    const page = await browser.open(`${path}/test`)
    const sent = await browser.press(page, 'Send test event', { Event: 'invoice.paid' })
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['invoice.paid'])
    expect(receiver.received[0] && verify(receiver.received[0], secret)).toBeTruthy()
    expect(answerOn(sent)).toMatch(/^Result ?Failed Status code ?418 I'm a Teapot Duration ?\d+ ms Response body ?I am <b>a teapot$/)
    expect(valuesOf(sent).get('type')).toBe('invoice.paid')
    expect(answerOn(await browser.open(sent.url))).toBe(answerOn(sent))
    expect(answerOn(page)).toBeUndefined()
    expect(receiver.received).toHaveLength(1)
  })

  test('says why there is no answer, and is sent ten times a minute at most', async () => {
    const { id, browser, path } = await ownedWebhook(service)
    await prisma.webhook.update({ where: { id }, data: { url: 'http://127.0.0.1:9/hook' } })
    const send = async () => browser.press(await browser.open(`${path}/test`), 'Send test event')
    const sent = await send()
    expect(answerOn(sent)).toMatch(/Failed Status code ?None .*The connection was refused\.$/)
    for (let count = 1; count < 10; count++) await send()
    expect(alertOf(await send())).toEqual([429, 'Too many test events. Try again in a minute.'])
  })
})

describe('the secret', () => {
  test('is rotated and shown once; the old one signs as long as chosen, and sending the form again rotates nothing', async () => {
    const { id, secret, receiver, path, browser } = await ownedWebhook(service)
    const settings = `${path}/settings`
    const page = await browser.open(settings)
    const shown = await browser.press(page, 'Rotate secret', { overlapSeconds: '3600' })
    const fresh = tokenValueOn(shown)
    expect([heading(shown), contentOf(shown)]).toEqual([
      [200, 'Copy the signing secret'],
      expect.stringContaining('Deliveries are also signed with the old secret until'),
    ])
    const after = await browser.open(settings)
    await browser.press(await browser.open(`${path}/test`), 'Send test event')
    const [delivery] = receiver.received
    for (const each of [secret, fresh]) expect(delivery && verify(delivery, each)).toBeTruthy()
    expect(contentOf(after)).toContain('Deliveries are also signed with an old secret until')
    const again = await browser.press(page, 'Rotate secret', { overlapSeconds: '3600' })
    expect(alertOf(again)).toEqual([422, 'The secret was already rotated, and the new one is not shown again.'])
    const { previousSecretExpiresAt } = await prisma.webhook.findUniqueOrThrow({ where: { id } })

    clock.advance(3_600_001)
    expect(contentOf(await browser.open(settings))).not.toContain('Deliveries are also signed with an old secret until')
    const asked = await browser.press(await browser.open(settings), 'Rotate secret', { overlapSeconds: '0' })
    expect(asked.url.pathname).toBe('/confirm')
    const back = await browser.press(asked, 'Continue', { Password: password })
    expect(alertOf(back)).toEqual([200, 'Your changes are not saved yet. Check them and submit again.'])
    expect(contentOf(await browser.press(back, 'Rotate secret'))).not.toContain('also signed with the old secret')
    expect((await prisma.webhook.findUniqueOrThrow({ where: { id } })).previousSecretExpiresAt).not.toEqual(previousSecretExpiresAt)
    const refused = await browser.press(await browser.open(settings), 'Rotate secret', { overlapSeconds: 'x' })
    expect([refused.status, wrongOf(refused, 'overlapSeconds')]).toEqual([422, 'Choose when the old secret expires.'])
  })
})

describe('a disabled webhook', () => {
  test.each([
    ['STOPPED', ['Meanwhile', 'Later'], 'It continues with the first event that was not delivered.'],
    ['PRESENT', ['Later'], 'It continues with the events from now on.'],
  ])('is enabled again and continues as chosen: %s', async (continueFrom, expected, said) => {
    const { path, receiver, browser, rename } = await ownedWebhook(service)
    const asked = await browser.openConfirmation(await browser.open(`${path}/settings`), 'Disable this webhook')
    expect(contentOf(asked)).toContain('No events are delivered until you enable it again.')
    const disabled = await browser.press(asked, 'Disable this webhook')
    expect([disabled.url.pathname, contentOf(disabled)]).toEqual([path, expect.stringContaining('The webhook was disabled manually.')])
    const settings = await browser.open(`${path}/settings`)
    expect(settings.root.querySelectorAll('a.confirm').map(({ text }) => text.split(' ')[0])).toEqual(['Delete…'])
    await rename('Meanwhile')
    await deliveries.deliver()
    expect(receiver.received).toEqual([])
    const enabled = await browser.press(await browser.open(path), 'Enable webhook', { continueFrom })
    expect(noticeOf(enabled)).toEqual([200, `The webhook is enabled. ${said}`])
    await rename('Later')
    await deliveries.deliver()
    const names = receiver.received.map(({ event }) => event.data['changes'])
    expect(names).toEqual(expected.map((after) => ({ name: { before: expect.any(String), after } })))
  })
})

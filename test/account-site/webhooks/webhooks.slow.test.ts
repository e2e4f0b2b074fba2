import { expect, test } from 'vitest'
import { heading, navigationOf, openAs } from '../../support/account-site/page-content.ts'
import { contentOf, inTeam, rowsOf, teamLinks } from '../../support/account-site/team.ts'
import { join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'
import { insertDelivery } from '../../support/webhooks/delivery-row.ts'
import { ownedWebhook } from '../../support/webhooks/owned.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

test('the list without webhooks says what one is, and leads to the form', async () => {
  const { page, address } = await inTeam(service, 'owner', '/webhooks')
  expect(teamLinks(page)).toContain('Webhooks')
  expect(contentOf(page)).toContain('Create a webhook to notify your server as soon as a member joins')
  expect(page.root.querySelector('main a.button')?.getAttribute('href')).toBe(`${address}/new`)
})

test('the list shows each webhook with its events, its state and the attempts of the last day', async () => {
  const { browser, team } = await inTeam(service, 'owner', '')
  const create = async (name: string, data: object, types: Parameters<typeof createWebhook>[3] = []) => {
    const { id } = await createWebhook(service, team, `http://127.0.0.1:9/${name}`, types)
    await prisma.webhook.update({ where: { id }, data: { createdAt: clock.now(), ...data } })
    clock.advance(1000)
    return id
  }
  const working = await create('working', { description: 'Chat <b>' })
  const attempt = { webhookId: working, entryId: working, type: 'team.updated', part: 0, attempt: 1, latencyMilliseconds: 1 }
  const before = new Date(clock.now().getTime() - 86_400_000)
  await prisma.webhookDelivery.createMany({
    data: [
      { ...attempt, at: clock.now(), result: 'delivered' },
      { ...attempt, at: clock.now(), result: 'failed' },
      { ...attempt, at: clock.now(), result: 'failed' },
      { ...attempt, at: before, result: 'failed' },
      { ...attempt, at: clock.now(), result: 'delivered', entryId: null },
    ],
  })
  await create('failing', { failingSince: new Date('2026-01-02T03:04:00Z') }, ['team.updated'])
  await create('stopped', { disabledAt: clock.now(), disabledReason: 'request' })
  await create('dead', { disabledAt: clock.now(), disabledReason: 'failing', failingSince: clock.now() })
  await create('gone', { disabledAt: clock.now(), disabledReason: 'gone' }, ['team.updated', 'invoice.paid'])
  const page = await browser.open(`/teams/${team.slug}/webhooks`)
  expect(rowsOf(page)).toEqual([
    ['Chat <b> http://127.0.0.1:9/working', 'Enabled', '1 delivered, 2 failed, 1 test', 'All events'],
    ['http://127.0.0.1:9/failing', 'Failing since 2 Jan 2026, 03:04 UTC', 'No deliveries', '1 event team.updated'],
    ['http://127.0.0.1:9/stopped', 'Disabled manually', 'No deliveries', 'All events'],
    ['http://127.0.0.1:9/dead', 'Disabled after three days of failures', 'No deliveries', 'All events'],
    ['http://127.0.0.1:9/gone', 'Disabled the endpoint responded with 410 Gone', 'No deliveries', '2 events team.updated invoice.paid'],
  ])
  expect(page.root.querySelector('.rows a')?.getAttribute('href')).toBe(`/teams/${team.slug}/webhooks/${working}`)
})

test('a team with 20 webhooks sees a request to delete one first', async () => {
  const { browser, team } = await inTeam(service, 'owner', '')
  for (let count = 0; count < 20; count++) await createWebhook(service, team, 'http://127.0.0.1:9/hook')
  const list = `/teams/${team.slug}/webhooks`
  const page = await browser.open(list)
  expect([contentOf(page), page.root.querySelector('main a.button')]).toEqual([
    expect.stringContaining('Delete one to create another.'),
    null,
  ])
  const refused = await browser.press(await browser.open(`${list}/new`), 'Create webhook', { URL: 'http://127.0.0.1:9/hook' })
  expect(contentOf(refused)).toContain('A team can have at most 20 webhooks. Delete one first.')
})

test('only owners see webhooks, and each those of the team in the address', async () => {
  const { team, id, list, path, receiver, browser } = await ownedWebhook(service)
  const delivery = await insertDelivery(database.pool, team.id, clock.now())
  const own = `${list}/${delivery.webhookId}/deliveries/${delivery.id}`
  const [settings, test] = [`${path}/settings`, `${path}/test`]
  const pages = [list, `${list}/new`, path, settings, test, own]
  const titles = await Promise.all(pages.map(async (each) => heading(await browser.open(each))))
  expect(titles).toEqual([
    [200, 'Webhooks'],
    [200, 'New webhook'],
    [200, receiver.url],
    [200, receiver.url],
    [200, receiver.url],
    [200, 'Delivery of team.updated'],
  ])

  for (const role of ['member', 'billing', null] as const) {
    const person = await createPerson(database)
    if (role) await join(database, team, person, role)
    const other = await openAs(service, person, '/tokens')
    for (const each of pages) expect([role, ...heading(await other.browser.open(each))]).toEqual([role, 403, 'You don’t have access'])
    expect(navigationOf(other.page)).not.toContain('Webhooks')
    const forms = [
      ...['enable', 'replay'].map((form) => [path, form] as const),
      ...['update', 'disable', 'rotate', 'delete'].map((form) => [settings, form] as const),
      [test, 'test'] as const,
    ]
    for (const [address, form] of forms) {
      const sent = await other.browser.send(other.page, address, new URLSearchParams({ form, csrf: 'x' }))
      expect([role, form, sent.status]).toEqual([role, form, 403])
    }
  }

  const { browser: stranger, list: elsewhere } = await ownedWebhook(service)
  const paths = [
    id,
    'x',
    `${delivery.webhookId}/deliveries/${delivery.id}`,
    `${id}/deliveries/${delivery.id}`,
    `${id}/test?test=${delivery.id}`,
  ]
  for (const each of paths) expect([each, ...heading(await stranger.open(`${elsewhere}/${each}`))]).toEqual([each, 404, 'Page not found'])
  // A delivery is below its own webhook only.
  for (const each of [`${path}/deliveries/${delivery.id}`, `${test}?test=${delivery.id}`, `${path}/deliveries/x`])
    expect((await browser.open(each)).status).toBe(404)
  expect(await prisma.webhook.count({ where: { id, disabledAt: null } })).toBe(1)
})

import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { alertOf, contentOf, heading, tokenValueOn, valuesOf } from '../../support/account-site/page-content.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'
import { password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { deliveriesOf } from '../../support/webhooks/webhook.ts'

const service = useService()
const { clock } = service
const { prisma } = service.database
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const webhooksOf = (teamId: string) => prisma.webhook.findMany({ where: { teamId }, orderBy: { createdAt: 'asc' } })

test('a new webhook receives all events, and its secret is shown once, with programs that verify deliveries', async () => {
  const { team, browser, page } = await inTeam(service, 'owner', '/webhooks/new')
  const receiver = await startReceiver()
  const created = await browser.press(page, 'Create webhook', { URL: receiver.url, Description: 'Chat' })
  const secret = tokenValueOn(created)
  expect([heading(created), secret]).toEqual([[200, 'Copy the signing secret'], expect.stringMatching(/^whsec_[\w+/]{32}$/)])
  for (const text of ['it is not shown again', 'verify them with a library', 'Node.js', 'Python', 'PHP', 'Go', 'timingSafeEqual'])
    expect(contentOf(created)).toContain(text)
  const [webhook] = await webhooksOf(team.id)
  expect(webhook).toMatchObject({ url: receiver.url, description: 'Chat', types: [] })

  const opened = await browser.open(created.root.querySelector('main a.button')?.getAttribute('href') ?? '')
  expect([heading(opened), opened.text.includes(secret)]).toEqual([[200, 'Chat'], false])
  await browser.press(opened, 'Send test event', { Event: 'member.joined' })
  const { headers, body } = receiver.received[0] ?? {}
  const verified = new Webhook(secret).verify(
    body ?? '',
    Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
  )
  expect(verified).toMatchObject({ type: 'member.joined', team: team.slug })

  const again = await browser.press(page, 'Create webhook', { URL: receiver.url, Description: 'Chat' })
  expect(alertOf(again)).toEqual([422, 'The webhook was already created, and its secret is not shown again.'])
  expect(await webhooksOf(team.id)).toHaveLength(1)
})

test('a new webhook can receive selected events only', async () => {
  const { team, browser, page } = await inTeam(service, 'owner', '/webhooks/new')
  const typed = { URL: 'http://127.0.0.1:9/hook', reach: 'chosen' }
  const refused = await browser.press(page, 'Create webhook', typed)
  expect([refused.status, wrongOf(refused, 'types')]).toEqual([422, 'Choose at least one event.'])
  await browser.press(refused, 'Create webhook', { types: ['invoice.paid', 'no.event', 'team.updated'] })
  expect((await webhooksOf(team.id)).map(({ types }) => types)).toEqual([['team.updated', 'invoice.paid']])
})

test.each([
  ['', 'Enter a URL.'],
  ['example.com/hook', 'URL must be an https URL.'],
  ['http://example.com/hook', 'URL must be an https URL.'],
  ['https://10.0.0.1/hook', 'URL must name a host on the public internet.'],
  ['https://user:secret@example.com/hook', 'URL must not have user information.'],
])('the URL %j is refused at its field, and what was typed stays', async (url, message) => {
  const { team, browser, page } = await inTeam(service, 'owner', '/webhooks/new')
  const refused = await browser.press(page, 'Create webhook', { URL: url, Description: 'Chat', reach: 'chosen', types: ['invoice.paid'] })
  expect([refused.status, wrongOf(refused, 'url')]).toEqual([422, message])
  const values = valuesOf(refused)
  expect(['url', 'description', 'reach'].map((name) => values.get(name))).toEqual([url, 'Chat', 'chosen'])
  expect([values.getAll('types'), await webhooksOf(team.id)]).toEqual([['invoice.paid'], []])
})

test('the form needs a recent sign-in, and is shown again with what was typed after the password', async () => {
  const { team, browser, address } = await inTeam(service, 'owner', '/webhooks/new')
  const page = await browser.open(address)
  clock.advance(16 * 60_000)
  const asked = await browser.press(page, 'Create webhook', { URL: 'http://127.0.0.1:9/hook', Description: 'Chat' })
  expect([asked.url.pathname, heading(asked)]).toEqual(['/confirm', [200, 'Confirm it’s you']])
  const back = await browser.press(asked, 'Continue', { Password: password })
  expect([back.url.pathname, valuesOf(back).get('description'), await webhooksOf(team.id)]).toEqual([address, 'Chat', []])
  const created = await browser.press(back, 'Create webhook')
  expect([heading(created), (await webhooksOf(team.id)).length]).toEqual([[200, 'Copy the signing secret'], 1])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { settingsFor, succeed, useFolder } from '../../support/backup/backup-files.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { planDatabase } from '../../support/service/database.ts'
import { useService } from '../../support/service/service.ts'
import type { TestService } from '../../support/service/service.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import type { Received } from '../../support/webhooks/receiver.ts'
import { createWebhook, deliveriesOf } from '../../support/webhooks/webhook.ts'

const folder = useFolder()
const source = useService()
const target = planDatabase({ migrated: false })
const file = folder('all.backup')
const restored = useService({ connectThrough: () => target.poolConfig })
beforeAll(() => target.create())

const deliveries = deliveriesOf(source)
const restoredDeliveries = deliveriesOf(restored)
afterAll(() => Promise.all([deliveries.close(), restoredDeliveries.close()]))

test('a restored service delivers what happens afterwards, and nothing older', async () => {
  const { team, token } = await createOwnedTeam(source.database)
  const rename = (service: TestService, name: string) => request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name } })
  const receiver = await startReceiver((response, { event }) =>
    response.writeHead(JSON.stringify(event.data).includes('Refused') ? 500 : 204).end(),
  )
  const { secret } = await createWebhook(source, team, receiver.url)
  const all = await createWebhook(source, null, receiver.url)
  await rename(source, 'Delivered')
  await rename(source, 'Refused')
  await deliveries.deliver()
  expect(receiver.received).toHaveLength(4)
  // Nobody has attempted it.
  await rename(source, 'Waiting')

  const settings = settingsFor(source.databaseUrl, folder('data'))
  await succeed(settings, ['backup', file])
  await succeed({ ...settings, DATABASE_URL: target.url }, ['restore', file])

  receiver.received.length = 0
  // The retries of what was refused would be due.
  restored.clock.advance(60_000)
  await restoredDeliveries.deliver()
  expect(receiver.received).toEqual([])
  await rename(restored, 'New')
  await restoredDeliveries.deliver()
  expect(receiver.received.map(({ event }) => event.data)).toEqual(
    Array.from({ length: 2 }, () => ({ changes: { name: { before: 'Waiting', after: 'New' } } })),
  )
  const isSignedWith = (key: string, { body, headers }: Received) => {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    try {
      return Boolean(new StandardWebhook(key).verify(body, texts))
    } catch {
      return false
    }
  }
  for (const key of [secret, all.secret]) expect(receiver.received.filter((each) => isSignedWith(key, each))).toHaveLength(1)
  const { body } = await request(restored, 'GET', `/api/v1/teams/${team.slug}/events`, { token })
  expect(body.data.at(-1)).toEqual(receiver.received[0]?.event)
})

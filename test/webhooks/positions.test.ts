import type { ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { createOwnedTeam } from '../support/data/team.ts'
import { insertEvents } from '../support/webhooks/many-events.ts'
import { useService } from '../support/service/service.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { createWebhook, deliveriesOf } from '../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

/** Requests at once to all webhooks of the test. */
const requests = 30 * 8

test('no statement moves a position past an attempt that it does not record, also if many attempts end at once', async () => {
  const held: ServerResponse[] = []
  let isHolding = true
  const receiver = await startReceiver((response) => {
    held.push(response)
    if (isHolding && held.length < requests) return
    isHolding = false
    for (const each of held.splice(0)) each.writeHead(500).end()
  })
  for (let count = 0; count < 2; count++) {
    const { team } = await createOwnedTeam(database)
    for (let webhook = 0; webhook < 15; webhook++) await createWebhook(service, team, receiver.url)
    await insertEvents(database.pool, team.slug, 8)
  }
  service.executions.length = 0
  await deliveries.deliver()
  const recorded = new Set<string>()
  const passed: string[] = []
  for (const { text, values } of service.executions) {
    if (!text.includes('INSERT INTO webhook_deliveries')) continue
    const [results, positions] = [JSON.parse(String(values[1])), JSON.parse(String(values[2]))]
    for (const { webhookId, entryId } of results) recorded.add(`${webhookId} ${entryId}`)
    for (const { webhookId, id } of positions) if (!recorded.has(`${webhookId} ${id}`)) passed.push(webhookId)
  }
  expect([recorded.size, passed]).toEqual([requests, []])
})

import { afterAll, expect, test } from 'vitest'
import { readLag } from '../../schema/webhooks/lag.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { executeAs, operator } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { createWebhook, deliveriesOf } from '../support/webhooks/webhook.ts'

const service = useService()
const { pool } = service.database
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const everyWebhook = readLag('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
const secondsOf = async () => Math.round((await pool.query<{ seconds: number }>(everyWebhook)).rows[0]?.seconds ?? -1)
const update = (id: string, enabled: boolean) =>
  executeAs(service, operator, `mutation ($id: ID!) { updateWebhook(input: { id: $id, enabled: ${enabled} }) { webhook { state } } }`, {
    id,
  })

test('the age of the oldest event is that of one that was not attempted, of a type that a working webhook wants', async () => {
  const { team, token } = await createOwnedTeam(service.database)
  const rename = (name: string) => request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name } })
  const receiver = await startReceiver()
  expect(await secondsOf()).toBe(0)
  await createWebhook(service, team, receiver.url, ['member.joined'])
  const { id } = await createWebhook(service, team, receiver.url, ['team.updated'])
  // Entries are written by the clock of the service, and their age is that of the clock of the database.
  service.clock.advance(-60_000)
  await pool.query(`UPDATE webhooks SET events_since = events_since - interval '10 minutes'`)
  await rename('First')
  service.clock.advance(50_000)
  await rename('Second')
  expect(await secondsOf()).toBeCloseTo(60, -1)
  await update(id, false)
  expect(await secondsOf()).toBe(0)
  await update(id, true)
  expect(await secondsOf()).toBeCloseTo(60, -1)
  await deliveries.deliver()
  expect([receiver.received.length, await secondsOf()]).toEqual([2, 0])
  await rename('Third')
  expect(await secondsOf()).toBeCloseTo(10, -1)
  await pool.query('UPDATE webhooks SET failing_since = now()')
  expect(await secondsOf()).toBe(0)
  await createWebhook(service, null, receiver.url)
  expect(await secondsOf()).toBe(0)
  service.clock.advance(10_000)
  await rename('Fourth')
  expect(await secondsOf()).toBe(0)
  await pool.query(`UPDATE webhooks SET events_since = events_since - interval '10 minutes', position_transaction_id = '3'`)
  expect(await secondsOf()).toBeCloseTo(60, -1)
})

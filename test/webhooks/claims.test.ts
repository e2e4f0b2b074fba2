import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { deliveriesOf, hookedTeam } from '../support/webhooks/webhook.ts'
import { settled } from '../support/data/settled.ts'

const service = useService()
const { pool } = service.database
const deliveries = deliveriesOf(service)
beforeAll(() => deliveries.start())
afterAll(() => deliveries.close())

/** A webhook whose endpoint does not respond to its first event until `respond` is called. */
async function startHangingDelivery() {
  const held: ServerResponse[] = []
  const receiver = await startReceiver((response) => void held.push(response))
  const { id, rename } = await hookedTeam(service, receiver.url)
  await rename()
  await settled(pool)
  await waitFor(() => held.length === 1)
  const respond = () => {
    for (const response of held.splice(0)) response.writeHead(204).end()
  }
  return { id, rename, receiver, held, respond }
}

/** The seconds for which other processes leave a webhook alone. */
async function remainingSeconds(id: string): Promise<number> {
  const { rows } = await pool.query('SELECT extract(epoch FROM worked_until - now())::float AS seconds FROM webhooks WHERE id = $1', [id])
  return rows[0].seconds
}

test('a process claims a webhook for less than three seconds, and renews the claim while an endpoint does not respond', async () => {
  const { id, respond } = await startHangingDelivery()
  const claimed = 'SELECT worked_until AS until, worked_until < now() + $2::interval AS "isShort" FROM webhooks WHERE id = $1'
  const read = async () => (await pool.query(claimed, [id, '3 seconds'])).rows[0]
  const first = await read()
  expect(first.isShort).toBe(true)
  await expect.poll(async () => (await read()).until, { timeout: 10_000 }).not.toEqual(first.until)
  expect(await remainingSeconds(id)).toBeGreaterThan(0)
  respond()
})

test('a process whose claim ended while it could not renew it sends nothing twice', async () => {
  const { id, rename, receiver, held, respond } = await startHangingDelivery()
  await pool.query(`UPDATE webhooks SET worked_until = now() - interval '1 second' WHERE id = $1`, [id])
  await waitFor(async () => (await remainingSeconds(id)) > 0)
  await rename()
  await waitFor(() => held.length === 2)
  respond()
  await waitFor(async () => (await pool.query('SELECT FROM webhooks WHERE id = $1 AND worker IS NULL', [id])).rowCount)
  expect(receiver.received.map(({ event }) => event.id)).toEqual([...new Set(receiver.received.map(({ event }) => event.id))])
  expect(receiver.received).toHaveLength(2)
})

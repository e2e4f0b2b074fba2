import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { poolConfigFor, urlConnection } from '../../src/database/connection.ts'
import { createWebhookDeliveries } from '../../src/webhooks/deliveries.ts'
import { settled } from '../support/data/settled.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { secretKey } from '../support/service/test-settings.ts'
import { insertEvents } from '../support/webhooks/many-events.ts'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { createWebhook, deliveriesOf } from '../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
const { pool } = database
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const positionOf = async (id: string) =>
  (await pool.query('SELECT position_transaction_id::text AS transaction, position_at AS at FROM webhooks WHERE id = $1', [id])).rows[0]

/** Creates a webhook of a team that did nothing for a year. */
async function idleWebhook() {
  const receiver = await startReceiver()
  const { team } = await createOwnedTeam(database)
  const { id } = await createWebhook(service, team, receiver.url)
  await deliveries.deliver()
  await pool.query(
    `UPDATE webhooks SET position_transaction_id = '3', position_at = now() - interval '1 year', events_since = now() - interval '1 year',
       created_at = now() - interval '1 year' WHERE id = $1`,
    [id],
  )
  await pool.query(`SELECT delete_audit_entries(now() + interval '1 day', 1000)`)
  return { id, team, receiver }
}

test('the position of a webhook whose team does nothing moves forward, and passes no event of a transaction that commits later', async () => {
  const { id, team, receiver } = await idleWebhook()
  const session = await pool.connect()
  await session.query('BEGIN')
  await insertEvents(session, team.slug, 1)
  const open = (await session.query('SELECT pg_current_xact_id()::text AS id')).rows[0].id
  await deliveries.run()
  const moved = await positionOf(id)
  expect([Number(moved.transaction) > 3, Number(moved.transaction) <= Number(open)]).toEqual([true, true])
  await session.query('COMMIT')
  session.release()
  await deliveries.deliver()
  expect(receiver.received).toHaveLength(1)
})

test('an import that began hours before its entries are committed is delivered, whatever was delivered meanwhile', async () => {
  const { team, receiver } = await idleWebhook()
  await insertEvents(pool, team.slug, 1)
  const session = await pool.connect()
  await session.query('BEGIN')
  await session.query(`SELECT set_config('audit.maintenance', 'on', true)`)
  await insertEvents(session, team.slug, 1)
  await session.query(`UPDATE audit_entries SET at = at - interval '5 hours' WHERE transaction_id = pg_current_xact_id()`)
  await deliveries.run()
  expect(receiver.received).toHaveLength(1)
  await session.query('COMMIT')
  session.release()
  await deliveries.deliver()
  expect(receiver.received).toHaveLength(2)
})

test('the position of a webhook with an event stays where it is, also if the event is older than two days', async () => {
  const { id, team, receiver } = await idleWebhook()
  await insertEvents(pool, team.slug, 1)
  await pool.query(`UPDATE webhooks SET worker = gen_random_uuid(), worked_until = now() + interval '1 minute' WHERE id = $1`, [id])
  await deliveries.deliver()
  expect((await positionOf(id)).transaction).toBe('3')
  await pool.query(`UPDATE webhooks SET worker = NULL, worked_until = NULL WHERE id = $1`, [id])
  await deliveries.deliver()
  expect(receiver.received).toHaveLength(1)
})

test('a webhook that a request locks at the moment of the look is claimed as soon as it is not', async () => {
  const { id, team, receiver } = await idleWebhook()
  await insertEvents(pool, team.slug, 1)
  await settled(pool)
  const session = await pool.connect()
  await session.query('BEGIN')
  await session.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [id])
  const delivered = deliveries.run()
  await waitFor(
    () => service.executions.filter(({ values }) => values.some((value) => Array.isArray(value) && value.includes(id))).length > 1,
  )
  await session.query('COMMIT')
  session.release()
  await delivered
  expect(receiver.received).toHaveLength(1)
})

test('a webhook of all teams receives an event behind thousands of entries that it does not want', async () => {
  const receiver = await startReceiver()
  const { team } = await createOwnedTeam(database)
  const { id } = await createWebhook(service, null, receiver.url, ['team.updated'])
  await pool.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, request_id)
     SELECT now() + n * interval '1 ms', 'createConnectedApp', 'user', 'Ada', 'session', $1, 'x', n FROM generate_series(1, 5000) n`,
    [team.id],
  )
  await insertEvents(pool, team.slug, 1)
  await deliveries.deliver()
  expect(receiver.received).toHaveLength(1)
  await pool.query('DELETE FROM webhooks WHERE id = $1', [id])
})

test('looking for events that takes too long is reported once, and goes on', async () => {
  const { id, team, receiver } = await idleWebhook()
  await insertEvents(pool, team.slug, 1)
  await settled(pool)
  const impatient = openClient({ ...poolConfigFor(urlConnection(service.databaseUrl), 'service', 4), statement_timeout: 100 })
  const errors: unknown[] = []
  const late = createWebhookDeliveries({
    ...service,
    worker: randomUUID(),
    database: impatient,
    now: service.clock.now,
    deriveSecret: secretDeriver(secretKey),
    report: (error) => errors.push(error),
  })
  const session = await pool.connect()
  await session.query('BEGIN')
  await session.query('LOCK TABLE webhooks')
  late.start()
  await waitFor(() => errors.length > 0)
  await session.query('COMMIT')
  session.release()
  await waitFor(() => receiver.received.length > 0)
  expect(errors).toEqual([expect.objectContaining({ code: '57014' })])
  await waitFor(async () => (await pool.query('SELECT FROM webhooks WHERE id = $1 AND worker IS NULL', [id])).rowCount)
  await late.close()
  await impatient.close()
})

import pg from 'pg'
import type { Team } from '../../prisma/generated/client/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { urlConnection } from '../../src/database/connection.ts'
import { applyMigrations } from '../../src/database/apply-migrations.ts'
import { createInvoice } from '../support/data/invoices/invoice.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { createPostgresServer, createStandby } from '../support/postgres/server.ts'
import type { PostgresServer } from '../support/postgres/server.ts'
import { reservePort } from '../support/processes/port.ts'
import { isFull } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'

// Two clusters of its own, so in the full suite.
describe.runIf(isFull)('a service with a streaming standby', () => {
  const ports = [reservePort(), reservePort()]
  const [primaryPort = 0, standbyPort = 0] = ports.map(({ port }) => port)
  const urlOf = (port: number) => `postgresql://postgres@localhost:${port}/postgres`
  let primary: PostgresServer
  let standby: PostgresServer
  let observer: pg.Client
  beforeAll(async () => {
    for (const { release } of ports) release()
    primary = await createPostgresServer({ port: primaryPort })
    await primary.start()
    await applyMigrations(urlConnection(primary.url), { info() {}, warn() {} })
    await primary.stop()
    standby = createStandby(primary, standbyPort)
    await primary.start()
    await standby.start()
    observer = new pg.Client(standby.url)
    observer.on('error', () => {})
    await observer.connect()
  })

  const service = useService({
    connectThrough: ({ max = 10 }) => ({ ...urlConnection(urlOf(primaryPort)), max, replica: urlConnection(urlOf(standbyPort)) }),
  })
  const { database } = service
  let token: string
  let slug: string
  let team: Team
  beforeAll(async () => {
    ;({ team, token } = await createOwnedTeam(database))
    slug = team.slug
  })
  afterAll(async () => {
    await observer.end().catch(() => {})
    await standby.remove()
    await primary.remove()
  })

  const list = () => request(service, 'GET', `/api/v1/teams/${slug}/invoices`, { token })
  const total = async () => (await list()).body.meta?.total
  /** The number of scans of invoices by the standby. */
  async function scansOnStandby(): Promise<number> {
    const { rows } = await observer.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%invoices%'`,
    )
    return rows[0].count
  }

  test('reads invoices from the standby once it has replayed everything that is a second old', async () => {
    expect(await waitFor(async () => (await total()) === 0 && (await scansOnStandby()) > 0)).toBe(true)
    await createInvoice(database, team)
    await waitFor(async () => (await total()) === 1)
  })

  test('reads teams and credentials from the primary only', async () => {
    expect((await request(service, 'PATCH', `/api/v1/teams/${slug}`, { token, body: { name: 'Changed' } })).status).toBe(200)
    await observer.query('SELECT pg_wal_replay_pause()')
    try {
      await request(service, 'PATCH', `/api/v1/teams/${slug}`, { token, body: { name: 'Changed again' } })
      expect((await request(service, 'GET', `/api/v1/teams/${slug}`, { token })).body.name).toBe('Changed again')
      await database.pool.query('UPDATE access_tokens SET revoked_at = now()')
      expect((await list()).status).toBe(401)
    } finally {
      await observer.query('SELECT pg_wal_replay_resume()')
      await database.pool.query('UPDATE access_tokens SET revoked_at = NULL')
    }
  })

  test('cancels a statement on the standby when its client leaves, and reads from the standby afterwards', async () => {
    await createInvoice(database, team)
    await waitFor(async () => (await list()).status === 200 && (await scansOnStandby()) > 0)
    const locker = new pg.Client(primary.url)
    await locker.connect()
    await locker.query('BEGIN; LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE')
    try {
      // The standby takes the lock, too, once the record of it is flushed, which this commit does.
      await database.prisma.team.update({ where: { id: team.id }, data: { name: 'Locked' } })
      await waitFor(
        async () => (await observer.query(`SELECT FROM pg_locks WHERE relation = 'invoices'::regclass AND granted`)).rowCount === 1,
      )
      const waiting = async () => {
        const { rows } = await observer.query(
          `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND backend_type = 'client backend'`,
        )
        return rows.length
      }
      const controller = new AbortController()
      const left = fetch(`${service.url}/api/v1/teams/${slug}/invoices`, {
        headers: { Authorization: `Bearer ${token}` },
        signal: controller.signal,
      })
      left.catch(() => {})
      await waitFor(async () => (await waiting()) > 0)
      controller.abort()
      await waitFor(async () => (await waiting()) === 0, 1)
      // Not repeated on the primary.
      const { rows } = await database.pool.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
      expect(rows).toEqual([])
      const next = list()
      await waitFor(async () => (await waiting()) > 0, 1)
      await locker.query('ROLLBACK')
      expect((await next).status).toBe(200)
    } finally {
      await locker.end()
    }
  })

  test('reads invoices from the primary when the standby lags', async () => {
    await observer.query('SELECT pg_wal_replay_pause()')
    const before = await total()
    await createInvoice(database, team)
    expect(await waitFor(async () => (await total()) === before + 1, 10)).toBe(true)
    await observer.query('SELECT pg_wal_replay_resume()')
  })

  test('reads invoices from the primary at once when the standby is down', async () => {
    await waitFor(async () => (await list()).status === 200 && (await scansOnStandby()) > 0)
    await standby.stop()
    const responses = await Promise.all(Array.from({ length: 20 }, list))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

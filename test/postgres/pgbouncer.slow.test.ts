import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { poolerConnection, withSession } from '../../src/database/connection.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { subscribe } from '../support/graphql/team-events.ts'
import { graphql } from '../support/http/graphql.ts'
import { request } from '../support/http/request.ts'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth/oauth.ts'
import { hasPgBouncer, planPgBouncer } from '../support/postgres/pgbouncer.ts'
import type { PgBouncer } from '../support/postgres/pgbouncer.ts'
import { startMain } from '../support/processes/service-process.ts'
import { isFull } from '../support/service/full.ts'
import { createDatabase } from '../support/service/database.ts'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'

describe.runIf(hasPgBouncer)('a service behind PgBouncer in transaction mode', () => {
  let bouncer: PgBouncer
  const service = useService({
    connectThrough(poolConfig) {
      bouncer = planPgBouncer(poolConfig.connectionString ?? '')
      return { ...poolConfig, query_timeout: 45_000, pooler: poolerConnection(bouncer.url) }
    },
  })
  const { database } = service
  let token: string
  let slug: string
  beforeAll(async () => {
    await bouncer.start()
    await withSession({ connectionString: service.databaseUrl }, (session) =>
      session.query(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Tokyo''', current_database());
        EXECUTE format('ALTER DATABASE %I SET datestyle = ''German''', current_database()); END $$`),
    )
    const owned = await createOwnedTeam(database)
    token = owned.token
    slug = owned.team.slug
  })
  afterAll(() => bouncer.stop())

  const rename = (name: string) =>
    graphql(service, token, 'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { name } } }', {
      input: { team: slug, name },
    })
  const mixed = (index: number) => [
    request(service, 'GET', '/api/v1/teams', { token }),
    request(service, 'GET', `/api/v1/teams/${slug}/members`, { token }),
    request(service, 'GET', `/api/v1/teams/${slug}/invoices?search=${index}`, { token }),
    request(service, 'PATCH', `/api/v1/teams/${slug}`, { token, body: { name: `name ${index}` } }),
    rename(`name ${index}`),
    graphql(service, token, '{ viewer { kind } teams { nodes { slug members { total } } } }'),
  ]

  test('responds to concurrent reads and changes, although each statement may get another session', async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, (_, index) => mixed(index)).flat())
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const { rows } = await database.pool.query<{ names: number }>('SELECT count(*)::int AS names FROM pg_prepared_statements')
    expect(rows).toEqual([{ names: 0 }])
  })

  test('reads times and dates in UTC and ISO format, whatever the defaults of the database are', async () => {
    const { rows } = await database.pool.query(`SELECT current_setting('timezone') AS zone, current_setting('datestyle') AS style`)
    expect(rows).toEqual([{ zone: 'UTC', style: expect.stringMatching(/^ISO/) }])
    const { body } = await request(service, 'GET', `/api/v1/teams/${slug}`, { token })
    expect(body).toMatchObject({ created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })
  })

  test('signs users in, and exchanges codes and refresh tokens', async () => {
    const client = await createClient(database)
    const person = await createPerson(database)
    const { status, body } = await exchangeCode(service, client, await authorize(service, client, person))
    expect(status).toBe(200)
    expect((await refresh(service, client, body.refresh_token)).status).toBe(200)
  })

  test('notifies event streams, whose connection does not go through the pooler', async () => {
    const stream = await subscribe(service.url, token, slug)
    expect((await rename('heard')).errors).toEqual([])
    await waitFor(() => stream.events.length > 0)
    expect(stream.events).toMatchObject([{ action: 'updateTeam' }])
  })

  test('cancels the statement of a client that has left', async () => {
    await withSession({ connectionString: service.databaseUrl }, async (locker) => {
      const watcher = new pg.Client(service.databaseUrl)
      await watcher.connect()
      const waiting = async () =>
        (await watcher.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)).rowCount
      await locker.query('BEGIN')
      await locker.query('LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE')
      const controller = new AbortController()
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ query: `{ team(slug: "${slug}") { invoices { nodes { number } } } }` })
      const left = fetch(`${service.url}/graphql`, { method: 'POST', headers, body, signal: controller.signal })
      left.catch(() => {})
      await waitFor(async () => (await waiting()) === 1)
      controller.abort()
      await waitFor(async () => (await waiting()) === 0)
      await expect(left).rejects.toThrow('abort')
      await locker.query('COMMIT')
      await watcher.end()
    })
    expect((await request(service, 'GET', `/api/v1/teams/${slug}/invoices`, { token })).status).toBe(200)
  })

  const opening = (settings: object) => {
    const warnings: string[] = []
    const all = { databaseUrl: bouncer.url, dataDir: inject('runFolder'), databasePool: 2, ...settings }
    return { warnings, opened: openDatabase(all, 'service', { info() {}, warn: (text) => warnings.push(text) }) }
  }

  test('does not start without DATABASE_DIRECT_URL', async () => {
    await expect(opening({}).opened).rejects.toThrow(
      /^DATABASE_URL: .*: this is a connection pooler, which also requires DATABASE_DIRECT_URL$/,
    )
  })

  test('warns at start if the role has no time limit for statements', async () => {
    const { opened, warnings } = opening({ databaseDirectUrl: service.databaseUrl })
    await (await opened).close()
    expect(warnings).toEqual([expect.stringContaining("SET statement_timeout = '2s'")])
  })

  test.runIf(isFull)('starts as a process that migrates and sends mail over direct connections', async () => {
    const { url, drop } = await createDatabase()
    const settings = { DATABASE_URL: new URL(new URL(url).pathname, bouncer.url).href, DATABASE_DIRECT_URL: url, LOG_LEVEL: 'error' }
    const main = startMain({ DATA_DIR: path.join(inject('runFolder'), `pgbouncer-${process.pid}`), ...settings })
    try {
      expect((await fetch(`${await main.origin}/api/v1/teams`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401)
    } finally {
      main.signal('SIGTERM')
    }
    expect(await main.ended).toBe(0)
    await drop()
  })
})

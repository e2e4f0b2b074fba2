import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService()
const { database, url } = service
let team: Team
let token: string
let locker: pg.Client
let watcher: pg.Client
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
  locker = new pg.Client(service.databaseUrl)
  watcher = new pg.Client(service.databaseUrl)
  await Promise.all([locker.connect(), watcher.connect()])
})
afterAll(() => Promise.all([locker.end(), watcher.end()]))

/** Runs `work` while another session holds locks, so that statements wait. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  await locker.query('BEGIN')
  await locker.query(lock)
  await work().finally(() => locker.query('COMMIT'))
}

/** The number of statements that wait for a lock. Not by the other session, whose transaction sees the first state only. */
async function waiting(): Promise<number> {
  const { rows } = await watcher.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
  )
  return rows.length
}

function fetchUntilLeft(path: string, init: RequestInit = {}) {
  const controller = new AbortController()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = fetch(`${url}${path}`, { headers, signal: controller.signal, ...init })
  response.catch(() => {})
  return { response, leave: () => controller.abort() }
}
const send = (query: string) => fetchUntilLeft('/graphql', { method: 'POST', body: JSON.stringify({ query }) })
const invoices = () => `{ team(slug: "${team.slug}") { invoices { total nodes { number } } } }`

describe('when a client leaves, PostgreSQL', () => {
  test('cancels the statement of its query, and those of others run on', async () => {
    const query = invoices()
    const lock = 'LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE'
    let others: Promise<Response>[] = []
    await whileLocked(lock, async () => {
      const left = send(query)
      await waitFor(async () => (await waiting()) === 1)
      others = [send(query), send(query)].map(({ response }) => response)
      await waitFor(async () => (await waiting()) === 3)
      left.leave()
      await waitFor(async () => (await waiting()) === 2)
      expect((await graphql(service, token, '{ viewer { kind } }')).errors).toEqual([])
    })
    for (const response of others) expect(await (await response).json()).toMatchObject({ data: { team: { invoices: { total: 0 } } } })
    expect(service.logged).toEqual([])
  })

  test.each([
    ['of a REST request', 'invoices', () => fetchUntilLeft(`/api/v1/teams/${team.slug}/invoices`)],
    ['that Prisma builds', 'invitations', () => send('{ viewer { invitations { email } } }')],
  ])('cancels a statement %s', async (_, table, request) => {
    await whileLocked(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, async () => {
      const [left, other] = [request(), request()]
      await waitFor(async () => (await waiting()) === 2)
      left.leave()
      await waitFor(async () => (await waiting()) === 1)
      other.leave()
      await waitFor(async () => (await waiting()) === 0)
    })
    expect((await request().response).status).toBe(200)
    expect(service.logged).toEqual([])
  })

  test('cancels all statements of the query, also on one connection', async () => {
    await whileLocked('LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE', async () => {
      const other = send(`{ ${['a', 'b', 'c', 'd', 'e', 'f'].map((alias) => `${alias}: ${invoices().slice(1, -1)}`).join(' ')} }`)
      await waitFor(async () => (await waiting()) > 0)
      other.leave()
      await waitFor(async () => (await waiting()) === 0)
    })
    expect((await graphql(service, token, invoices())).errors).toEqual([])
    expect(service.logged).toEqual([])
  })

  test('completes a mutation', async () => {
    await whileLocked(`SELECT FROM teams WHERE id = '${team.id}' FOR UPDATE`, async () => {
      const { leave } = send(`mutation { updateTeam(input: { team: "${team.slug}", name: "changed" }) { team { name } } }`)
      await waitFor(async () => (await waiting()) === 1)
      leave()
      // The service has noticed: it answers a request that was sent later.
      expect((await graphql(service, token, '{ viewer { kind } }')).errors).toEqual([])
      expect(await waiting()).toBe(1)
    })
    await waitFor(async () => (await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name === 'changed')
  })
})

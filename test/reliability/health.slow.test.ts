import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readVersion } from '../../src/config/version.ts'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { useDatabase } from '../support/service/database.ts'
import { reservePort } from '../support/processes/port.ts'
import { startMain } from '../support/processes/service-process.ts'
import type { ServiceProcess } from '../support/processes/service-process.ts'
import { startTcpProxy } from '../support/processes/tcp-proxy.ts'
import type { TcpProxy } from '../support/processes/tcp-proxy.ts'
import { isFull } from '../support/service/full.ts'
import { waitFor } from '../support/service/wait.ts'

const { poolConfig } = useDatabase()
const pool = new pg.Pool(poolConfig)
const { port, release } = reservePort()
const url = `http://127.0.0.1:${port}`
let proxy: TcpProxy
let service: ServiceProcess

/** A process whose AUTH_URL is not the address that the probes use. */
function start(): ServiceProcess {
  const { host, port: databasePort, user, database } = proxy.poolConfig
  return startMain({
    PORT: String(port),
    AUTH_URL: 'https://accounts.example',
    NODE_ENV: 'production',
    SECRET_KEY: 'k1'.repeat(16),
    SHUTDOWN_DELAY: '300',
    DATABASE_URL: `postgresql://${user}@${host}:${databasePort}/${database}`,
    DATA_DIR: path.join(inject('runFolder'), `health-${process.pid}`),
  })
}

const probe = async (target: string, method = 'GET') => {
  const response = await fetch(url + target, { method })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const statusAndText = async (target: string) => {
  const { status, text } = await probe(target)
  return [status, text]
}
const failed = (...lines: string[]) => [503, [...lines, 'readyz check failed', ''].join('\n')]
const allPassed = '[+]database ok\n[+]migrations ok\n[+]signing-keys ok\n[+]job-queue ok\nreadyz check passed\n'

beforeAll(async () => {
  proxy = startTcpProxy(poolConfig)
  release()
})
afterAll(async () => {
  service.signal('SIGKILL')
  await service.ended
  await proxy.close()
  await pool.end()
})

test('a service that waits for migrations is alive and not ready, and refuses other requests', async () => {
  const session = await pool.connect()
  await session.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrations])
  try {
    service = start()
    expect(await waitFor(() => statusAndText('/livez').catch(() => null))).toEqual([200, 'ok'])
    expect(await statusAndText('/readyz')).toEqual(failed('[-]startup failed: reason withheld'))
    expect((await probe('/')).status).toBe(503)
  } finally {
    await session.query('SELECT pg_advisory_unlock($1)', [advisoryLocks.migrations])
    session.release()
  }
  await waitFor(async () => (await probe('/readyz')).status === 200)
  expect(await statusAndText('/readyz')).toEqual([200, 'ok'])
})

test('a probe with ?verbose names each check', async () => {
  expect(await statusAndText('/readyz?verbose')).toEqual([200, `version ${await readVersion()}\n${allPassed}`])
  expect(await statusAndText('/livez?verbose')).toEqual([200, '[+]ping ok\nlivez check passed\n'])
})

describe.each(['/livez', '/readyz'])('%s', (target) => {
  test('responds to HEAD without a body, forbids caching and has a request id', async () => {
    const { status, text, headers } = await probe(target, 'HEAD')
    expect([status, text, headers.get('content-length'), headers.get('cache-control')]).toEqual([200, '', '2', 'no-store'])
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('refuses other methods with 405 and an error body', async () => {
    const { status, text, headers } = await probe(target, 'POST')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(JSON.parse(text)).toEqual({
      message: 'Method Not Allowed.',
      code: 'method_not_allowed',
      request_id: headers.get('x-request-id'),
    })
  })
})

test('paths that only begin like a probe are other requests', async () => {
  for (const target of ['/readyz/database', '/livezz', '/api/livez']) expect((await probe(target)).status).toBe(421)
})

test('probes leave no line in the log', async () => {
  const requestLines = () =>
    service
      .output()
      .stderr.split('\n')
      .filter((line) => line.includes('request completed'))
  const before = requestLines().length
  await probe('/readyz')
  await probe('/')
  // The client sends a request that was misdirected once more, on a new connection.
  await waitFor(() => requestLines().length >= before + 2)
  for (const line of requestLines()) expect(line).toContain('"status":421')
})

test('probes in quick succession share one run of the checks', async () => {
  const startedAt = performance.now()
  const before = proxy.roundTrips()
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, () => probe('/readyz')))
  const runs = 1 + (performance.now() - startedAt) / 1000
  // Other statements of the process may be among them: each run has at most three, and the probes are 200.
  expect(proxy.roundTrips() - before).toBeLessThanOrEqual(3 * runs + 10)
})

test('a database that is slow for a moment leaves the service ready, and one that does not answer makes it fail', async () => {
  await waitFor(async () => (await probe('/readyz')).status === 200)
  proxy.stall()
  // The first result may be that of the second before. Statements are ended after 2.5 seconds, which is a failure.
  expect((await probe('/readyz')).status).toBe(200)
  await waitFor(async () => (await probe('/readyz')).status === 503)
  await proxy.restore()
  await waitFor(async () => (await probe('/readyz')).status === 200)
})

const harms = [
  ['job-queue', 'ALTER SCHEMA pgboss RENAME TO renamed', 'ALTER SCHEMA renamed RENAME TO pgboss'],
  ['migrations', 'ALTER TABLE _prisma_migrations RENAME TO renamed', 'ALTER TABLE renamed RENAME TO _prisma_migrations'],
] as const
test.each(isFull ? harms : harms.slice(0, 1))(
  'the check %s fails alone, its reason is logged, and it passes again',
  async (name, harm, repair) => {
    await pool.query(harm)
    await waitFor(async () => (await probe('/readyz')).status === 503)
    const [, text] = await statusAndText('/readyz')
    expect(text).toBe(allPassed.replace(`[+]${name} ok`, `[-]${name} failed: reason withheld`).replace('check passed', 'check failed'))
    await pool.query(repair)
    await waitFor(async () => (await probe('/readyz')).status === 200)
    const lines = service
      .output()
      .stderr.split('\n')
      .filter((line) => line.includes(`"not ready: ${name}"`))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('does not exist')
  },
)

test('a database that hangs makes the service unready in time, not dead, and it recovers', async () => {
  proxy.stall()
  const text = await waitFor(async () => {
    const { status, text } = await probe('/readyz')
    return status === 503 && text
  })
  expect(text).toContain('[-]database failed: reason withheld\n')
  expect(text).toContain('[+]signing-keys ok\n')
  expect(await statusAndText('/livez')).toEqual([200, 'ok'])
  await proxy.restore()
  await waitFor(async () => (await probe('/readyz')).status === 200)
})

test('a stop signal makes the service unready while it still serves requests, and a second one ends it', async () => {
  service.signal('SIGTERM')
  await waitFor(async () => (await probe('/readyz')).status === 503)
  expect(await statusAndText('/readyz')).toEqual(failed('[-]shutdown failed: reason withheld'))
  expect(await statusAndText('/livez')).toEqual([200, 'ok'])
  expect((await probe('/')).status).toBe(421)
  service.signal('SIGTERM')
  expect(await service.ended).toBe(1)
})

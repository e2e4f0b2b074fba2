import { connect, createServer } from 'node:net'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { reservePort } from '../../support/processes/port.ts'
import { startMain } from '../../support/processes/service-process.ts'
import { startTcpProxy } from '../../support/processes/tcp-proxy.ts'
import { useDatabase } from '../../support/service/database.ts'
import { waitFor } from '../../support/service/wait.ts'

const { url: databaseUrl, poolConfig } = useDatabase()

/** The URL of this database at another port of this machine. */
function urlAt(port: number): string {
  const url = new URL(databaseUrl)
  const database = url.pathname
  return `postgresql://${url.username || 'postgres'}@127.0.0.1:${port}${database}`
}

test.each(['1', '2'])('a start of %s processes that loses its connections goes on when the database is back', async (processes) => {
  const proxy = startTcpProxy(poolConfig)
  onTestFinished(proxy.close)
  const { port, release } = reservePort()
  release()
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `lost-connection-${processes}`),
    DATABASE_URL: urlAt(Number(proxy.poolConfig.port)),
    SECRET_KEY: 'k1'.repeat(16),
    PORT: String(port),
    WEB_CONCURRENCY: processes,
  })
  onTestFinished(() => service.signal('SIGKILL'))
  // From its first response on, as early as possible.
  await waitFor(() =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  await proxy.disconnect()
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect(status).toBe(503)
  await proxy.restore()
  await service.origin
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
  service.signal('SIGTERM')
  expect(await service.ended).toBe(0)
})

test('a start that cannot open its second connection ends with a line that names the database', async () => {
  const target = new URL(databaseUrl)
  const host = target.searchParams.get('host') ?? target.hostname
  const port = Number(target.port || 5432)
  let connections = 0
  const once = createServer((client) => {
    if (++connections > 1) return void client.resetAndDestroy()
    const server = connect(host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port })
    client.pipe(server).on('error', () => {})
    server.pipe(client).on('error', () => {})
  })
  const reservation = reservePort()
  await reservation.listen(once)
  onTestFinished(() => void once.close())
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), 'lost-connection'),
    DATABASE_URL: urlAt(reservation.port),
  })
  expect(await service.ended).toBe(1)
  // Depending on when the reset arrives.
  const stderr = expect.stringMatching(/^the database cannot be reached: (?:read|connect|write) ECONNRESET[^\n]*\n$/)
  expect(service.output()).toEqual({ stdout: '', stderr })
})

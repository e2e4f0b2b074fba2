import { createConnection } from 'node:net'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../src/server.ts'
import { killPostgres, postgresPid, temporaryFolder } from '../support/processes.ts'
import { startMain } from '../support/service-process.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { waitFor } from '../support/wait.ts'

let data: ReturnType<typeof temporaryFolder>
let running: ServiceProcess[]

beforeEach(() => {
  data = temporaryFolder()
  running = []
})

afterEach(async () => {
  for (const each of running) each.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await data.remove()
})

function start(settings: Record<string, string> = {}): ServiceProcess {
  const started = startMain({ DATA_DIR: data.folder, ...settings })
  running.push(started)
  return started
}

const teams = (origin: string) => fetch(`${origin}/api/v1/teams`)

describe('given an empty data folder', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('the service starts, answers, and on %s stops with its database', async (signal) => {
    const service = start()
    expect((await teams(await service.origin)).status).toBe(401)
    expect(statSync(path.join(data.folder, 'secret-key')).mode & 0o777).toBe(0o600)
    service.signal(signal)
    expect(await service.ended).toBe(0)
    expect(postgresPid(data.folder)).toBeUndefined()
  })

  test('the first start alone makes a demo team, and prints a line with its token that works as it is', async () => {
    const first = start()
    await first.origin
    const [, token, url] = /^ +curl -H "Authorization: Bearer (\w+)" (\S+)$/m.exec(first.output().stdout) ?? []
    const response = await fetch(url ?? '', { headers: { authorization: `Bearer ${token}` } })
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ slug: 'acme' })])
    first.signal('SIGTERM')
    await first.ended
    const second = start()
    await second.origin
    expect(second.output().stdout).not.toContain('Bearer')
  })

  test('in production there is none', async () => {
    const service = start({ NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(32) })
    await service.origin
    expect(service.output().stdout).not.toContain('Bearer')
    expect(readdirSync(data.folder)).toEqual(['database'])
  })

  test('the secret key outlives the service', async () => {
    const first = start()
    await first.origin
    const key = readFileSync(path.join(data.folder, 'secret-key'), 'utf8')
    first.signal('SIGTERM')
    await first.ended
    await start().origin
    expect(readFileSync(path.join(data.folder, 'secret-key'), 'utf8')).toBe(key)
  })

  test('a signal while it starts stops it in order', async () => {
    const service = start()
    await waitFor(() => postgresPid(data.folder))
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(postgresPid(data.folder)).toBeUndefined()
  })
})

describe('given a running service', () => {
  test('a second one on its folder ends with one line that says where the first is', async () => {
    const first = start()
    const origin = await first.origin
    const second = start()
    expect(await second.ended).toBe(1)
    const address = origin.replace('localhost', '127.0.0.1')
    expect(second.output().stderr).toMatch(new RegExp(`^another service runs on this data folder: pid \\d+, ${address}\\n$`))
    expect((await teams(origin)).status).toBe(401)
  })

  test('its database is killed: it answers 503, never hangs, and is well again by itself', async () => {
    const service = start()
    const origin = await service.origin
    const ask = () => fetch(`${origin}/api/v1/teams`, { headers: { authorization: `Bearer ${token}` } })
    expect((await ask()).status).toBe(401)
    await killPostgres(data.folder)
    const began = Date.now()
    expect([401, 503]).toContain((await ask()).status)
    expect(Date.now() - began).toBeLessThan(3000)
    await waitFor(async () => (await ask()).status === 401)
  })
})

describe('given a setting that is wrong', () => {
  test.each([
    [{ AUTH_URL: 'accounts.example.com' }, /^AUTH_URL must be an http or https origin [^\n]+\n$/],
    [{ NODE_ENV: 'production' }, /^SECRET_KEY is required when NODE_ENV is production\n$/],
    [{ DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/none' }, /^DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1\n$/],
  ])('%o stops the start with one line', async (settings, line) => {
    const service = start(settings)
    expect(await service.ended).toBe(1)
    expect(service.output()).toEqual({ stdout: '', stderr: expect.stringMatching(line) })
  })

  test('a port that is taken is named', async () => {
    const other = await listen({ host: '127.0.0.1', port: 0 })
    const service = start({ PORT: String(other.port), LOG_LEVEL: 'silent' })
    expect(await service.ended).toBe(1)
    expect(service.output().stderr).toBe(`PORT ${other.port} is taken by another program\n`)
    expect(postgresPid(data.folder)).toBeUndefined()
    await other.close(0)
  })
})

describe('given a client that never finishes its header fields', () => {
  test('it is sent away after some 10 seconds', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 })
    const socket = createConnection(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nX-Slow: '))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
    await server.close(0)
  })
})

/** Well-formed, and unknown to every database: it takes the database to refuse it. */
const token = 'pat_0123456789ABCDEFGHIJKLMNOPQRST1fukiD'

import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../src/http/server.ts'
import { createDataFolder, createUsedDataFolder, killPostgres, postgresPid } from '../../support/processes/data-folder.ts'
import { startMain } from '../../support/processes/service-process.ts'
import type { ServiceProcess } from '../../support/processes/service-process.ts'
import { waitFor } from '../../support/service/wait.ts'
import { isFull } from '../../support/service/full.ts'

let data: ReturnType<typeof createDataFolder>
const running: ServiceProcess[] = []

/** Creates a data folder for the tests of a `describe`, and kills their services at the end. */
function useDataFolder(create: () => typeof data | Promise<typeof data>): void {
  beforeAll(async () => {
    data = await create()
  })
  afterAll(async () => {
    const services = running.splice(0)
    for (const service of services) service.signal('SIGKILL')
    await Promise.all(services.map(({ ended }) => ended))
    await data.remove()
  })
}

function start(settings: Record<string, string> = {}): ServiceProcess {
  const started = startMain({ DATA_DIR: data.folder, ...settings })
  running.push(started)
  return started
}

const listTeams = (origin: string, headers: Record<string, string> = {}) => fetch(`${origin}/api/v1/teams`, { headers })

describe('a service on a new data folder', () => {
  let service: ServiceProcess
  let key: string
  const secretKeyFile = () => path.join(data.folder, 'secret-key')
  useDataFolder(createDataFolder)
  beforeAll(async () => {
    service = start()
    await service.origin
    key = readFileSync(secretKeyFile(), 'utf8')
  })

  test('prints a curl line that shows the demo team', async () => {
    const [, token, url] = /^ +curl -H "Authorization: Bearer (\w+)" (\S+)$/m.exec(service.output().stdout) ?? []
    const response = await fetch(url ?? '', { headers: { authorization: `Bearer ${token}` } })
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ slug: 'acme' })])
  })

  test('stores a secret key that only its user can read', () => {
    expect(statSync(secretKeyFile()).mode & 0o777).toBe(0o600)
  })

  test('makes a second service on the folder exit with one line that names the address of the first', async () => {
    const second = start()
    expect(await second.ended).toBe(1)
    const address = (await service.origin).replace('localhost', '127.0.0.1')
    expect(second.output().stderr).toMatch(new RegExp(`^another service runs on this data folder: pid \\d+, ${address}\\n$`))
    expect((await listTeams(await service.origin)).status).toBe(401)
  })

  test('responds with 503 after its database is killed, and succeeds again without a restart', async () => {
    const origin = await service.origin
    const send = async () => (await listTeams(origin, { authorization: `Bearer ${unknownToken}` })).status
    expect(await send()).toBe(401)
    await killPostgres(data.folder)
    expect([401, 503]).toContain(await send())
    await waitFor(async () => (await send()) === 401)
  })

  test.each(isFull ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const))(
    'stops with its database on %s; the next start has the same secret key and creates no demo team',
    async (signal) => {
      service.signal(signal)
      expect(await service.ended).toBe(0)
      expect(postgresPid(data.folder)).toBeUndefined()
      service = start()
      expect((await listTeams(await service.origin)).status).toBe(401)
      expect(service.output().stdout).not.toContain('Bearer')
      expect(readFileSync(secretKeyFile(), 'utf8')).toBe(key)
    },
  )

  test('does not start without its secret key, creates no other one, and starts again with it', async () => {
    service.signal('SIGTERM')
    await service.ended
    renameSync(secretKeyFile(), `${secretKeyFile()}.moved`)
    service = start()
    expect(await service.ended).toBe(1)
    expect(service.output().stderr).toMatch(/^there is no SECRET_KEY for this database: .+\n$/)
    expect(existsSync(secretKeyFile())).toBe(false)
    renameSync(`${secretKeyFile()}.moved`, secretKeyFile())
    service = start()
    expect((await listTeams(await service.origin)).status).toBe(401)
  })
})

describe('a service in production on an empty database', () => {
  useDataFolder(createUsedDataFolder)

  test.runIf(isFull)('creates no demo team and no secret key', async () => {
    const service = start({ NODE_ENV: 'production', SECRET_KEY: 'k1'.repeat(16) })
    await service.origin
    expect(service.output().stdout).not.toContain('Bearer')
    expect(readdirSync(data.folder)).toEqual(['database'])
  })
})

describe('a service behind a trusted proxy on an empty database', () => {
  useDataFolder(createUsedDataFolder)

  test.runIf(isFull)('creates no demo team and does not show stored mails', async () => {
    const service = start({ TRUST_PROXY: '1' })
    const origin = await service.origin
    expect(service.output().stdout).not.toMatch(/Bearer|\/dev\/mail/)
    expect((await fetch(`${origin}/dev/mail`, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404)
  })
})

describe('a service that is starting', () => {
  useDataFolder(createUsedDataFolder)

  test.runIf(isFull)('stops gracefully with its database on a signal', async () => {
    const service = start()
    await waitFor(() => postgresPid(data.folder))
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(postgresPid(data.folder)).toBeUndefined()
  })
})

describe('with an invalid setting', () => {
  useDataFolder(createDataFolder)

  const refusals: [Record<string, string>, RegExp][] = [
    [{ AUTH_URL: 'accounts.example.com' }, /^AUTH_URL must be an http or https origin [^\n]+\n$/],
    [{ NODE_ENV: 'production' }, /^SECRET_KEY is required when NODE_ENV is production\n$/],
    [
      { AUTH_URL: 'https://accounts.example.com' },
      /^AUTH_URL https:\/\/accounts\.example\.com is public: set NODE_ENV=production [^\n]+\n$/,
    ],
    [
      { NODE_ENV: 'production', SECRET_KEY: 'k1'.repeat(16), AUTH_URL: 'http://accounts.example.com' },
      /^AUTH_URL http:\/\/accounts\.example\.com is not https: [^\n]+\n$/,
    ],
    [{ NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(32) }, /^SECRET_KEY must be random, [^\n]+\n$/],
    [{ HOST: '0.0.0.0' }, /^HOST 0\.0\.0\.0 accepts connections of other machines: set NODE_ENV=production [^\n]+\n$/],
    [{ DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/none' }, /^DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1\n$/],
  ]
  test.each(isFull ? refusals : refusals.slice(-2))('the service exits with one line for %o', async (settings, line) => {
    const service = start(settings)
    expect(await service.ended).toBe(1)
    expect(service.output()).toEqual({ stdout: '', stderr: expect.stringMatching(line) })
  })

  test('the service names the port when another program uses it', async () => {
    const other = await listen({ host: '127.0.0.1', port: 0, authUrl: 'http://localhost' })
    const service = start({ PORT: String(other.port), LOG_LEVEL: 'silent' })
    expect(await service.ended).toBe(1)
    expect(service.output().stderr).toBe(`PORT ${other.port} is taken by another program\n`)
    expect(postgresPid(data.folder)).toBeUndefined()
    await other.close(0)
  })
})

/** A well-formed token that no database contains, so that only a database query can refuse it. */
const unknownToken = 'pat_0123456789ABCDEFGHIJKLMNOPQRST1fukiD'

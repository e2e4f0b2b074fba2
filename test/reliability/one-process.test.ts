import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from 'node:child_process'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSession } from '../../src/database/connection.ts'
import { readPostmasterFile } from '../../src/database/postmaster-file.ts'
import { killPostgres, postgresPid, startProcess, temporaryFolder } from '../support/processes.ts'
import type { DatabaseProcess } from '../support/processes.ts'
import { waitFor } from '../support/wait.ts'

let data: ReturnType<typeof temporaryFolder>
let running: DatabaseProcess[]

beforeEach(() => {
  data = temporaryFolder()
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((each) => each.kill()))
  await data.remove()
})

function start(role: 'service' | 'command' = 'service'): DatabaseProcess {
  const started = startProcess(role, data.folder)
  running.push(started)
  return started
}

const addTeam = (config: pg.ClientConfig, slug: string) =>
  withSession(config, (session) => session.query(`INSERT INTO teams (slug, name) VALUES ($1, 'Team')`, [slug]))

async function teamsOf(config: pg.ClientConfig): Promise<string[]> {
  const { rows } = await withSession(config, (session) => session.query<{ slug: string }>('SELECT slug FROM teams ORDER BY slug'))
  return rows.map(({ slug }) => slug)
}

describe('given an empty folder', () => {
  test('the first start makes the database, the second finds what was stored, and each stop stops PostgreSQL', async () => {
    const first = start()
    const { poolConfig, firstStart } = await first.opened
    expect(firstStart).toBe(true)
    await addTeam(poolConfig, 'acme')
    await first.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
    const second = start()
    const again = await second.opened
    expect(again.firstStart).toBe(false)
    expect(await teamsOf(again.poolConfig)).toEqual(['acme'])
    await second.stop()
    expect(await second.ended).toBe(0)
  })

  test('the server is durable, speaks UTC and UTF-8, has no port, and its folder is closed to others', async () => {
    const { poolConfig } = await start().opened
    const { rows } = await withSession(poolConfig, (session) =>
      session.query(`SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
        current_setting('full_page_writes') AS pages, current_setting('listen_addresses') AS addresses,
        current_setting('TimeZone') AS zone, current_setting('server_encoding') AS encoding,
        current_setting('data_checksums') AS checksums`),
    )
    expect(rows).toEqual([{ fsync: 'on', commit: 'on', pages: 'on', addresses: '', zone: 'UTC', encoding: 'UTF8', checksums: 'on' }])
    expect(statSync(path.join(data.folder, 'database')).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(data.folder, 'database', 'cluster')).mode & 0o777).toBe(0o700)
  })

  test.each([
    ['the cluster is being made', () => readdirSync(inDatabase()).some((name) => name.startsWith('initialising-'))],
    ['the cluster has its name', () => existsSync(inDatabase('cluster'))],
    ['PostgreSQL is coming up', () => existsSync(inDatabase('cluster', 'postmaster.pid'))],
    ['PostgreSQL is up', () => readPostmasterFile(inDatabase('cluster'))?.isReady],
  ])('a start that is killed when %s leaves nothing half-made', async (_, isThere) => {
    const killed = start()
    await waitFor(() => existsSync(inDatabase()) && isThere())
    await killed.kill()
    const { poolConfig } = await start().opened
    await addTeam(poolConfig, 'acme')
    expect(readdirSync(inDatabase()).filter((name) => name.startsWith('initialising-'))).toEqual([])
  })
})

describe('given a running service', () => {
  test('its process is killed: PostgreSQL lives on, is adopted as it is, and stopped with the next', async () => {
    const first = start()
    const { poolConfig } = await first.opened
    await addTeam(poolConfig, 'acme')
    const server = postgresPid(data.folder)
    await first.kill()
    const second = start()
    expect(await teamsOf((await second.opened).poolConfig)).toEqual(['acme'])
    expect(postgresPid(data.folder)).toBe(server)
    await second.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
  })

  test('it and PostgreSQL are killed while rows are written: every acknowledged row is there afterwards', async () => {
    const service = start()
    const { poolConfig } = await service.opened
    const acknowledged: string[] = []
    const write = async () => {
      for (;;) {
        const slug = `team-${randomUUID()}`
        await addTeam(poolConfig, slug)
        acknowledged.push(slug)
      }
    }
    const writers = Promise.allSettled(Array.from({ length: 8 }, write))
    await waitFor(() => acknowledged.length > 200)
    await Promise.all([killPostgres(data.folder), service.kill()])
    await writers
    const { poolConfig: after } = await start().opened
    expect(await teamsOf(after)).toEqual(expect.arrayContaining(acknowledged))
  })

  test('PostgreSQL alone is killed: the service brings it back, and keeps its place', async () => {
    const service = start()
    const { poolConfig } = await service.opened
    const server = postgresPid(data.folder)
    await killPostgres(data.folder)
    await waitFor(() => postgresPid(data.folder))
    expect(postgresPid(data.folder)).not.toBe(server)
    await waitFor(() => teamsOf(poolConfig).catch(() => undefined))
    await expect(start().opened).rejects.toThrow(`pid ${service.pid}, http://127.0.0.1:4711`)
    await service.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
  })

  test('a statement on a server that no longer answers fails within 3 seconds', async () => {
    const { poolConfig } = await start().opened
    const pool = new pg.Pool(poolConfig)
    await pool.query('SELECT 1')
    const server = postgresPid(data.folder) ?? 0
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    for (const pid of [server, rows[0]?.pid ?? 0]) process.kill(pid, 'SIGSTOP')
    const began = Date.now()
    await expect(pool.query('SELECT 1')).rejects.toThrow('Query read timeout')
    await expect(withSession(poolConfig, async () => {})).rejects.toThrow('timeout expired')
    expect(Date.now() - began).toBeLessThan(2 * 3000)
    for (const pid of [rows[0]?.pid ?? 0, server]) process.kill(pid, 'SIGCONT')
    await pool.end()
  })
})

describe('given a folder whose PostgreSQL was cut off', () => {
  test('the number it left behind belongs to another program of its user: it starts all the same', async () => {
    const service = start()
    await service.opened
    await Promise.all([killPostgres(data.folder), service.kill()])
    const { uid, gid } = statSync(inDatabase('cluster'))
    const stranger = spawn('sleep', ['600'], { uid, gid })
    for (const file of [inDatabase('cluster', 'postmaster.pid'), inDatabase('socket', '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(stranger.pid)))
    }
    const { poolConfig } = await start().opened
    expect(await teamsOf(poolConfig)).toEqual([])
    stranger.kill()
  })

  test('what a killed start left half-made is removed', async () => {
    mkdirSync(inDatabase('initialising-4194305-x'), { recursive: true })
    const { uid, gid } = statSync(data.folder)
    chownSync(inDatabase(), uid, gid)
    await start().opened
    expect(existsSync(inDatabase('initialising-4194305-x'))).toBe(false)
  })
})

describe('given a database of another PostgreSQL', () => {
  test('the start ends with one line that names both versions', async () => {
    const service = start()
    await service.opened
    await service.stop()
    writeFileSync(inDatabase('cluster', 'PG_VERSION'), '17\n')
    await expect(start().opened).rejects.toThrow(/was made by PostgreSQL 17, and this service carries 18\.4: export it/)
  })
})

describe('given a data folder too deep for a socket', () => {
  test('the socket lies in a short folder, which commands find, a killed server keeps and a stop removes', async () => {
    await data.remove()
    data = temporaryFolder(path.join('d'.repeat(60), 'd'.repeat(60)))
    const first = start()
    const host = String((await first.opened).poolConfig.host)
    expect(Buffer.byteLength(host)).toBeLessThan(80)
    expect(statSync(host).mode & 0o777).toBe(0o700)
    expect((await start('command').opened).poolConfig.host).toBe(host)
    await killPostgres(data.folder)
    await waitFor(() => postgresPid(data.folder))
    await waitFor(() => teamsOf(first.story.find(({ open }) => open)?.open?.poolConfig ?? {}).catch(() => undefined))
    await Promise.all(running.map((each) => each.stop()))
    expect(existsSync(host)).toBe(false)
  })
})

const inDatabase = (...names: string[]) => path.join(data.folder, 'database', ...names)

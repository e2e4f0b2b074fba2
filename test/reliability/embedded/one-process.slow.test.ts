import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from 'node:child_process'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { createUsedDataFolder, killPostgres, postgresPid } from '../../support/processes/data-folder.ts'
import { useDatabaseProcesses } from '../../support/processes/database/database-processes.ts'
import { addTeam, teamSlugs } from '../../support/processes/team-rows.ts'
import { waitFor } from '../../support/service/wait.ts'
import { isFull } from '../../support/service/full.ts'

const data = useDatabaseProcesses(createUsedDataFolder)
const inDatabase = (...names: string[]) => path.join(data.folder, 'database', ...names)

describe('while a service runs', () => {
  test('PostgreSQL continues after the service is killed, and the next service adopts and stops it', async () => {
    const first = data.start()
    const { poolConfig } = await first.opened
    await addTeam(poolConfig, 'acme')
    const server = postgresPid(data.folder)
    await first.kill()
    const second = data.start()
    expect(await teamSlugs((await second.opened).poolConfig)).toEqual(['acme'])
    expect(postgresPid(data.folder)).toBe(server)
    await second.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
  })

  test('every acknowledged row is stored when the service and PostgreSQL are killed during writes', async () => {
    const service = data.start()
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
    const { poolConfig: after } = await data.start().opened
    expect(await teamSlugs(after)).toEqual(expect.arrayContaining(acknowledged))
  })

  test('the service restarts PostgreSQL after it is killed, and keeps the data folder', async () => {
    const service = data.start()
    const { poolConfig } = await service.opened
    const server = postgresPid(data.folder)
    await killPostgres(data.folder)
    await waitFor(() => postgresPid(data.folder))
    expect(postgresPid(data.folder)).not.toBe(server)
    await waitFor(() => teamSlugs(poolConfig).catch(() => undefined))
    await expect(data.start().opened).rejects.toThrow(`pid ${service.pid}, http://127.0.0.1:4711`)
    await service.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
  })

  test.runIf(isFull)('a statement fails instead of waiting when the PostgreSQL server does not respond', async () => {
    const { poolConfig } = await data.start().opened
    const pool = new pg.Pool(poolConfig)
    await pool.query('SELECT 1')
    const server = postgresPid(data.folder) ?? 0
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    for (const pid of [server, rows[0]?.pid ?? 0]) process.kill(pid, 'SIGSTOP')
    await expect(pool.query('SELECT 1')).rejects.toThrow('Query read timeout')
    await expect(withSession(poolConfig, async () => {})).rejects.toThrow('timeout expired')
    for (const pid of [rows[0]?.pid ?? 0, server]) process.kill(pid, 'SIGCONT')
    await pool.end()
  })
})

describe('on a data folder whose PostgreSQL server was killed', () => {
  test.runIf(isFull)('the service starts when another program of the same user has the process ID in postmaster.pid', async () => {
    const service = data.start()
    await service.opened
    await Promise.all([killPostgres(data.folder), service.kill()])
    const { uid, gid } = statSync(inDatabase('cluster'))
    const otherProgram = spawn('sleep', ['600'], { uid, gid })
    for (const file of [inDatabase('cluster', 'postmaster.pid'), inDatabase('socket', '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(otherProgram.pid)))
    }
    const { poolConfig } = await data.start().opened
    expect(await teamSlugs(poolConfig)).toEqual([])
    otherProgram.kill()
  })

  test('the service removes an incomplete cluster of a killed start', async () => {
    mkdirSync(inDatabase('initialising-4194305-x'), { recursive: true })
    const { uid, gid } = statSync(data.folder)
    chownSync(inDatabase(), uid, gid)
    await data.start().opened
    expect(existsSync(inDatabase('initialising-4194305-x'))).toBe(false)
  })
})

describe('on a database of another PostgreSQL version', () => {
  test('the service exits with one line that names both versions', async () => {
    writeFileSync(inDatabase('cluster', 'PG_VERSION'), '17\n')
    await expect(data.start().opened).rejects.toThrow(/was created by PostgreSQL 17, and this service includes 18\.4: write a backup/)
  })
})

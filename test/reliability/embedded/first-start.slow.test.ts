import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { readPostmasterFile } from '../../../src/database/embedded/postmaster-file.ts'
import { createDataFolder, killPostgres, postgresPid } from '../../support/processes/data-folder.ts'
import { useDatabaseProcesses } from '../../support/processes/database/database-processes.ts'
import { addTeam, teamSlugs } from '../../support/processes/team-rows.ts'
import { isFull } from '../../support/service/full.ts'
import { waitFor } from '../../support/service/wait.ts'

describe('on an empty data folder', () => {
  const data = useDatabaseProcesses(createDataFolder)
  const inDatabase = (...names: string[]) => path.join(data.folder, 'database', ...names)

  test('the first start creates the database, the second start reads the stored rows, and every stop stops PostgreSQL', async () => {
    const first = data.start()
    const { poolConfig, firstStart } = await first.opened
    expect(firstStart).toBe(true)
    await addTeam(poolConfig, 'acme')
    await first.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
    const second = data.start()
    const again = await second.opened
    expect(again.firstStart).toBe(false)
    expect(await teamSlugs(again.poolConfig)).toEqual(['acme'])
    await second.stop()
    expect(await second.ended).toBe(0)
  })

  test('the PostgreSQL server is durable, uses UTC and UTF-8, listens on no port, and its folder is private', async () => {
    const { poolConfig } = await data.start().opened
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

  const phases: [string, () => unknown][] = [
    ['initdb runs', () => readdirSync(inDatabase()).some((name) => name.startsWith('initialising-'))],
    ['the cluster folder has its final name', () => existsSync(inDatabase('cluster'))],
    ['PostgreSQL starts', () => existsSync(inDatabase('cluster', 'postmaster.pid'))],
    ['PostgreSQL is ready', () => readPostmasterFile(inDatabase('cluster'))?.isReady],
  ]
  test.each(isFull ? phases : phases.slice(0, 1))('a start that is killed when %s leaves no incomplete cluster', async (_, isReached) => {
    const killed = data.start()
    await waitFor(() => existsSync(inDatabase()) && isReached())
    await killed.kill()
    const { poolConfig } = await data.start().opened
    await addTeam(poolConfig, 'acme')
    expect(readdirSync(inDatabase()).filter((name) => name.startsWith('initialising-'))).toEqual([])
  })
})

describe('on a data folder whose path is too long for a socket', () => {
  const data = useDatabaseProcesses(() => createDataFolder(path.join('d'.repeat(60), 'd'.repeat(60))))

  test('the socket is created in a short folder, which commands find, a server crash preserves and a stop removes', async () => {
    const first = data.start()
    const host = String((await first.opened).poolConfig.host)
    expect(Buffer.byteLength(host)).toBeLessThan(80)
    expect(statSync(host).mode & 0o777).toBe(0o700)
    const command = data.start('command')
    expect((await command.opened).poolConfig.host).toBe(host)
    await killPostgres(data.folder)
    await waitFor(() => postgresPid(data.folder))
    await waitFor(() => teamSlugs(first.events.find(({ open }) => open)?.open?.poolConfig ?? {}).catch(() => undefined))
    await Promise.all([first.stop(), command.stop()])
    expect(existsSync(host)).toBe(false)
  })
})

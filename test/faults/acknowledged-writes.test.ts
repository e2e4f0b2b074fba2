import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { embeddedConnection, withSession } from '../../src/database/connection.ts'
import { readPostmasterFile } from '../../src/database/embedded/postmaster-file.ts'
import { compareWrites, startWrites } from '../support/faults/write-load.ts'
import type { WriteLoad } from '../support/faults/write-load.ts'
import { createDataFolder, postgresPid } from '../support/processes/data-folder.ts'
import { reservePort } from '../support/processes/port.ts'
import { startMain } from '../support/processes/service-process.ts'
import type { ServiceProcess } from '../support/processes/service-process.ts'
import { childrenOf, workersOf } from '../support/faults/workers.ts'
import { spawnCli } from '../support/service/cli.ts'
import { isFull } from '../support/service/full.ts'
import { waitFor } from '../support/service/wait.ts'

// Faults while six clients change a team. Every change that was acknowledged must be stored exactly once.

describe.runIf(isFull)('a service with two workers on the embedded PostgreSQL, under a load of changes', () => {
  const data = createDataFolder()
  const { port, release } = reservePort()
  const settings = { DATA_DIR: data.folder, PORT: String(port), WEB_CONCURRENCY: '2', RATE_LIMIT_API: '0', LOG_LEVEL: 'fatal' }
  let service: ServiceProcess
  let token: string

  const start = async () => {
    service = startMain(settings)
    await service.origin
  }
  const stop = async (signal: NodeJS.Signals) => {
    service.signal(signal)
    await service.ended
  }
  const cli = async (...line: string[]) => {
    const { status, stdout, stderr } = await spawnCli({ DATA_DIR: data.folder }, line)
    if (status !== 0) throw new Error(stderr)
    return stdout
  }

  beforeAll(async () => {
    release()
    await start()
    await cli('user', 'create', '--email', 'ada@example.com', '--name', 'Ada')
    await cli('team', 'create', '--slug', 'crew', '--name', 'Crew', '--owner', 'ada@example.com')
    const line = ['token', 'create', '--user', 'ada@example.com', '--name', 'load', '--scope', 'acct:team:write', '--json']
    token = JSON.parse(await cli(...line)).token
  })
  afterAll(async () => {
    await stop('SIGTERM')
    await data.remove()
  })

  let load: WriteLoad
  beforeEach(() => {
    load = startWrites(`http://localhost:${port}/api/v1/teams/crew`, token)
  })
  const acknowledge = async (more = 50) => {
    const goal = load.acknowledged.size + more
    await waitFor(() => load.acknowledged.size >= goal)
  }
  /** Ends the load, and compares what was acknowledged with the audit entries. */
  const lostAndRepeated = async () => {
    await load.stop()
    expect(load.unexpected).toEqual([])
    const entries = (await cli('audit', 'export', '--team', 'crew')).trim().split('\n')
    const names = entries.map((line) => JSON.parse(line)).map(({ action, after }): string => (action === 'updateTeam' ? after.name : ''))
    return compareWrites(load, names)
  }
  /** Kills all processes of PostgreSQL at once, as a failure of the machine does, but for what its system has not written to the disk. */
  const killDatabase = () => {
    const postmaster = postgresPid(data.folder) ?? 0
    for (const pid of [postmaster, ...childrenOf(postmaster)]) process.kill(pid, 'SIGKILL')
  }
  const nothing = { lost: 0, repeated: 0 }

  test('loses no acknowledged change when a worker is killed', async () => {
    await acknowledge()
    const [worker] = workersOf(service.pid)
    process.kill(worker ?? 0, 'SIGKILL')
    await acknowledge(300)
    expect(await lostAndRepeated()).toEqual(nothing)
  })

  test.each<NodeJS.Signals>(['SIGKILL', 'SIGTERM'])('loses no acknowledged change when it ends by %s and starts again', async (signal) => {
    await acknowledge()
    await stop(signal)
    await start()
    await acknowledge()
    expect(await lostAndRepeated()).toEqual(nothing)
  })

  test('loses no acknowledged change when PostgreSQL is killed, which it starts again', async () => {
    await acknowledge()
    killDatabase()
    await acknowledge()
    expect(await lostAndRepeated()).toEqual(nothing)
  })

  test('would be found to lose changes if PostgreSQL acknowledged them before they are stored', async () => {
    const cluster = readPostmasterFile(path.join(data.folder, 'database', 'cluster'))
    await withSession(embeddedConnection(cluster?.socketFolder ?? '', 'team_account_service'), (session) =>
      session.query('ALTER DATABASE team_account_service SET synchronous_commit = off'),
    )
    await stop('SIGTERM')
    await start()
    await acknowledge()
    killDatabase()
    await acknowledge()
    expect((await lostAndRepeated()).lost).toBeGreaterThan(0)
  })
})

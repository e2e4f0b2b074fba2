import { describe, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { createDataFolder, createUsedDataFolder, killPostgres, postgresPid } from '../../support/processes/data-folder.ts'
import { useDatabaseProcesses } from '../../support/processes/database/database-processes.ts'
import type { DatabaseProcess } from '../../support/processes/database/start-database-process.ts'
import { waitFor } from '../../support/service/wait.ts'
import { isFull, repetitions } from '../../support/service/full.ts'

const expectQueryToSucceed = async ({ opened }: DatabaseProcess) => {
  const { poolConfig } = await opened
  const { rows } = await withSession(poolConfig, (session) => session.query('SELECT count(*)::int AS teams FROM teams'))
  expect(rows).toEqual([{ teams: 0 }])
}

describe('on an empty data folder', () => {
  const data = useDatabaseProcesses(createDataFolder)

  test('exactly one of several services that start at the same time runs, and the others name its process', async () => {
    const services = Array.from({ length: repetitions({ short: 2, full: 4 }) }, () => data.start('service'))
    const outcomes = await Promise.allSettled(services.map((each) => each.opened))
    const winners = services.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(winners.length).toBe(1)
    const reasons = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => String(reason))
    for (const reason of reasons) {
      expect(reason).toContain(`another service runs on this data folder: pid ${winners[0]?.pid}`)
    }
    for (const each of winners) await expectQueryToSucceed(each)
  })

  test.runIf(isFull)('simultaneous commands all use the database, and the last one stops it', async () => {
    const commands = Array.from({ length: 8 }, () => data.start('command'))
    await Promise.all(
      commands.map(async (each) => {
        await expectQueryToSucceed(each)
        await each.stop()
      }),
    )
    expect(await Promise.all(commands.map((each) => each.ended))).toEqual(commands.map(() => 0))
    expect(postgresPid(data.folder)).toBeUndefined()
  })
})

describe('while a service runs', () => {
  const data = useDatabaseProcesses(createUsedDataFolder)

  test.runIf(isFull)('a second service is refused with the process ID and address of the first, which is not affected', async () => {
    const first = data.start('service')
    await first.opened
    const server = postgresPid(data.folder)
    const second = data.start('service')
    await expect(second.opened).rejects.toThrow(`another service runs on this data folder: pid ${first.pid}, http://127.0.0.1:4711`)
    expect(await second.ended).toBe(1)
    await expectQueryToSucceed(first)
    expect(postgresPid(data.folder)).toBe(server)
    expect(first.events.filter(({ warning }) => warning)).toEqual([])
  })

  test.runIf(isFull)('a command uses the database and leaves the service running', async () => {
    const service = data.start('service')
    await service.opened
    const command = data.start('command')
    await expectQueryToSucceed(command)
    await command.stop()
    await expectQueryToSucceed(service)
  })

  test('a command continues after the service stops, and then stops PostgreSQL', async () => {
    const service = data.start('service')
    await service.opened
    const command = data.start('command')
    await command.opened
    await service.stop()
    await expectQueryToSucceed(command)
    await command.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
  })

  test.runIf(isFull)('another service starts immediately after the first one is killed', async () => {
    const first = data.start('service')
    await first.opened
    await first.kill()
    await expectQueryToSucceed(data.start('service'))
  })

  test.runIf(isFull)('a suspended service detects on resuming that another service took over the data folder', async () => {
    const first = data.start('service')
    await first.opened
    process.kill(first.pid, 'SIGSTOP')
    await killPostgres(data.folder)
    const second = data.start('service')
    await second.opened
    process.kill(first.pid, 'SIGCONT')
    const { evicted } = await waitFor(() => first.events.find((event) => event.evicted))
    expect(evicted).toBe(`another service runs on this data folder: pid ${second.pid}, http://127.0.0.1:4711`)
    await expectQueryToSucceed(second)
  })
})

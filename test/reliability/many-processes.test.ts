import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSession } from '../../src/database/connection.ts'
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

function start(role: 'service' | 'command'): DatabaseProcess {
  const started = startProcess(role, data.folder)
  running.push(started)
  return started
}

const expectAnswer = async (each: DatabaseProcess) => {
  const { poolConfig } = await each.opened
  const { rows } = await withSession(poolConfig, (session) => session.query('SELECT count(*)::int AS teams FROM teams'))
  expect(rows).toEqual([{ teams: 0 }])
}

describe('given an empty folder', () => {
  test('of four services that start in the same instant one runs, and the others name it', async () => {
    const services = Array.from({ length: 4 }, () => start('service'))
    const outcomes = await Promise.allSettled(services.map((each) => each.opened))
    const winners = services.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(winners.length).toBe(1)
    const reasons = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => String(reason))
    for (const reason of reasons) {
      expect(reason).toContain(`another service runs on this data folder: pid ${winners[0]?.pid}`)
    }
    for (const each of winners) await expectAnswer(each)
  })

  test('of eight commands at once each has the database, and the last stops it', async () => {
    const commands = Array.from({ length: 8 }, () => start('command'))
    await Promise.all(
      commands.map(async (each) => {
        await expectAnswer(each)
        await each.stop()
      }),
    )
    expect(await Promise.all(commands.map((each) => each.ended))).toEqual(Array(8).fill(0))
    expect(postgresPid(data.folder)).toBeUndefined()
  })
})

describe('given a running service', () => {
  test('a second one is refused with its process and address, and the first does not notice', async () => {
    const first = start('service')
    await first.opened
    const server = postgresPid(data.folder)
    const second = start('service')
    await expect(second.opened).rejects.toThrow(`another service runs on this data folder: pid ${first.pid}, http://127.0.0.1:4711`)
    expect(await second.ended).toBe(1)
    await expectAnswer(first)
    expect(postgresPid(data.folder)).toBe(server)
    expect(first.story.filter(({ warning }) => warning)).toEqual([])
  })

  test('a command works beside it and leaves it running', async () => {
    const service = start('service')
    await service.opened
    const command = start('command')
    await expectAnswer(command)
    await command.stop()
    await expectAnswer(service)
  })

  test('it stops while a command is at work: the command ends in peace, and stops PostgreSQL', async () => {
    const service = start('service')
    await service.opened
    const command = start('command')
    await command.opened
    await service.stop()
    await expectAnswer(command)
    await command.stop()
    expect(postgresPid(data.folder)).toBeUndefined()
  })

  test('it is killed, and a new one takes its place at once', async () => {
    const first = start('service')
    await first.opened
    await first.kill()
    await expectAnswer(start('service'))
  })

  test('it sleeps while PostgreSQL is killed and another service starts: it wakes up and knows that it is out', async () => {
    const first = start('service')
    await first.opened
    process.kill(first.pid, 'SIGSTOP')
    await killPostgres(data.folder)
    const second = start('service')
    await second.opened
    process.kill(first.pid, 'SIGCONT')
    const { evicted } = await waitFor(() => first.story.find((event) => event.evicted))
    expect(evicted).toBe(`another service runs on this data folder: pid ${second.pid}, http://127.0.0.1:4711`)
    await expectAnswer(second)
  })
})

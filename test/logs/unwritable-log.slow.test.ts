import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { startLoad } from '../support/faults/steady-load.ts'
import { workersOf } from '../support/faults/processes.ts'
import { parseMetrics } from '../support/metrics/prometheus-text.ts'
import { closeAtEnd, createClosedPipe, createFullPipe, createPipe, readAll } from '../support/processes/pipe.ts'
import { reservePort } from '../support/processes/port.ts'
import { startOnTerminal, startWithOutput, statusWithOutput } from '../support/processes/redirected-service.ts'
import type { RedirectedService } from '../support/processes/redirected-service.ts'
import { useDatabase } from '../support/service/database.ts'
import { waitFor } from '../support/service/wait.ts'

const database = useDatabase()

const patience = () => ({ signal: AbortSignal.timeout(10_000) })

/** A request that the service logs. */
const request = async ({ origin }: RedirectedService) => (await fetch(`${origin}/api/v1/teams`, patience())).status

/** Sends requests whose log lines cannot be written, then stops the service. */
async function expectResponsesAndStop(service: RedirectedService): Promise<void> {
  for (let count = 0; count < 3; count++) expect(await request(service)).toBe(401)
  expect((await fetch(`${service.origin}/livez`, patience())).status).toBe(200)
  await expectStop(service)
}

async function expectStop(service: RedirectedService): Promise<void> {
  service.signal('SIGTERM')
  await waitFor(service.hasEnded, 20)
  await expect(fetch(`${service.origin}/livez`)).rejects.toThrow('fetch failed')
}

/** The number of lines that the only report in this log says were lost. */
function reportedLoss(log: string): number {
  const reports = Array.from(log.matchAll(/"msg":"(\d+) log lines were lost/g))
  expect(reports).toHaveLength(1)
  return Number(reports[0]?.[1])
}

async function countedLoss(metricsPort: number): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, patience())).text()
  return parseMetrics(text).find(({ name }) => name === 'team_account_log_lines_lost_total')?.value
}

function freePort(): number {
  const { port, release } = reservePort()
  release()
  return port
}

test('a service whose terminal was closed responds, and stops', async () => {
  const service = await startOnTerminal({ DATABASE_URL: database.url })
  service.closeTerminal()
  await expectResponsesAndStop(service)
})

test('a service with workers whose terminal was closed replaces a worker, responds, and stops', async () => {
  const service = await startOnTerminal({ DATABASE_URL: database.url, WEB_CONCURRENCY: '2' })
  service.closeTerminal()
  const former = await waitFor(() => (workersOf(service.pid).length === 2 ? workersOf(service.pid) : null))
  process.kill(former[0] ?? 0, 'SIGKILL')
  await waitFor(() => workersOf(service.pid).some((pid) => !former.includes(pid)))
  await expectResponsesAndStop(service)
})

test('a service whose log reader closed the pipe responds, and stops', async () => {
  const { output, reader } = createPipe()
  const service = await startWithOutput(output, { DATABASE_URL: database.url })
  closeSync(reader)
  await expectResponsesAndStop(service)
})

test('a service starts although nothing reads its output', async () => {
  await expectResponsesAndStop(await startWithOutput(createClosedPipe(), { DATABASE_URL: database.url }))
})

test('a service starts although its output is written to a full disk', async () => {
  const full = closeAtEnd(openSync('/dev/full', 'w'))
  await expectResponsesAndStop(await startWithOutput(full, { DATABASE_URL: database.url }))
})

describe('a service whose log reader stops reading', () => {
  test('keeps some lines, drops further ones, and reports how many when the reader continues', async () => {
    const { output, reader } = createPipe()
    closeAtEnd(reader)
    const metricsPort = freePort()
    const service = await startWithOutput(output, { DATABASE_URL: database.url, METRICS_PORT: String(metricsPort) })
    readAll(reader)
    const load = startLoad(`${service.origin}/api/v1/teams`, 4)
    await waitFor(async () => ((await countedLoss(metricsPort)) ?? 0) > 10)
    await load.stop()
    let log = ''
    const completed = () => log.match(/"msg":"request completed"/g)?.length ?? 0
    await waitFor(() => (log += readAll(reader)).includes('were lost'))
    expect(await request(service)).toBe(401)
    const lost = reportedLoss(log)
    await waitFor(() => (log += readAll(reader)) && completed() + lost === load.count() + 1)
    for (const line of log.trimEnd().split('\n')) JSON.parse(line)
    expect(await countedLoss(metricsPort)).toBe(lost)
    await expectStop(service)
  })

  test('stops', async () => {
    const { output, reader } = createPipe()
    closeAtEnd(reader)
    const service = await startWithOutput(output, { DATABASE_URL: database.url })
    const load = startLoad(`${service.origin}/api/v1/teams`, 4)
    await waitFor(() => load.count() > 400)
    await load.stop()
    await expectResponsesAndStop(service)
  })
})

describe('a service whose output is a full pipe that nobody reads', () => {
  test.each([1, 2])('starts, responds and stops, with processes: %i', async (count) => {
    const settings = { DATABASE_URL: database.url, WEB_CONCURRENCY: String(count) }
    await expectResponsesAndStop(await startWithOutput(createFullPipe(), settings))
  })

  test('ends if it cannot start', async () => {
    const ended = await statusWithOutput(createFullPipe(), { DATABASE_URL: database.url, PORT: '-1' })
    expect(ended).toBe(1)
  })
})

const mount = (folder: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' }).status === 0

test('a service whose log is on a full disk responds, and reports lost lines once there is space', async (context) => {
  const folder = mkdtempSync(path.join(inject('runFolder'), 'disk-'))
  if (!mount(folder)) context.skip('this user may not mount a file system')
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  const [log, ballast] = [path.join(folder, 'log'), path.join(folder, 'ballast')]
  const metricsPort = freePort()
  const output = closeAtEnd(openSync(log, 'a'))
  const service = await startWithOutput(output, { DATABASE_URL: database.url, METRICS_PORT: String(metricsPort) })
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  const load = startLoad(`${service.origin}/api/v1/teams`, 4)
  await waitFor(async () => ((await countedLoss(metricsPort)) ?? 0) > 10)
  await load.stop()
  rmSync(ballast)
  expect(await request(service)).toBe(401)
  await waitFor(() => readFileSync(log, 'utf8').includes('were lost'))
  expect(reportedLoss(readFileSync(log, 'utf8'))).toBe(await countedLoss(metricsPort))
  await expectStop(service)
})

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import { startMain } from '../../support/processes/service-process.ts'
import type { ServiceProcess } from '../../support/processes/service-process.ts'
import { workersOf } from '../../support/faults/processes.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { useDatabase } from '../../support/service/database.ts'
import { waitFor } from '../../support/service/wait.ts'

const { url: databaseUrl, poolConfig } = useDatabase()
const database = openClient(poolConfig)
afterAll(database.close)

async function start(processes: number): Promise<ServiceProcess & { url: URL }> {
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `stop-${process.pid}`),
    DATABASE_URL: databaseUrl,
    WEB_CONCURRENCY: String(processes),
  })
  onTestFinished(() => service.signal('SIGKILL'))
  const url = new URL(await service.origin)
  if (processes > 1) await waitFor(() => workersOf(service.pid).length === processes)
  return { ...service, url }
}

/** Sends a request and returns its result. Resolves when all bytes are sent. */
async function begin({ hostname, port }: URL, agent: Agent | false): Promise<{ result: Promise<string> }> {
  const sent = request({ hostname, port, path: '/api/v1/teams', agent })
  const result = new Promise<string>((resolve) => {
    sent.on('error', (error) => resolve(error.message))
    sent.on('response', (response) => void text(response).then(() => resolve(String(response.statusCode))))
  })
  const socket = once(sent, 'socket').then(async ([each]) => each.connecting && once(each, 'connect'))
  sent.end()
  await socket
  await new Promise<void>((resolve) => (sent.writableFinished ? resolve() : sent.once('finish', resolve)))
  return { result }
}

describe.each([1, 2])('a service with processes: %i', (processes) => {
  test('responds to every request that was sent before SIGTERM, on new and on open connections', async () => {
    const { url, pid, signal, ended } = await start(processes)
    const agents = Array.from({ length: 10 }, () => new Agent({ keepAlive: true }))
    for (const agent of agents) expect(await (await begin(url, agent)).result).toBe('401')
    // The processes are stopped meanwhile, so that the requests wait in the kernel when they receive the signal.
    const all = [pid, ...workersOf(pid)]
    for (const each of all) process.kill(each, 'SIGSTOP')
    const begun = await Promise.all([...agents, ...agents.map(() => false as const)].map((agent) => begin(url, agent)))
    signal('SIGTERM')
    for (const each of all) process.kill(each, 'SIGCONT')
    expect(new Set(await Promise.all(begun.map(({ result }) => result)))).toEqual(new Set(['401']))
    expect(await ended).toBe(0)
    for (const agent of agents) agent.destroy()
  })
})

test('a subscription that arrives while the service stops is refused until later, and nothing is logged as an error', async () => {
  const { url, signal, ended, output } = await start(1)
  const { team, token } = await createOwnedTeam(database)
  const body = JSON.stringify({ query: `subscription { teamEvents(team: "${team.slug}") { id } }` })
  const fields = { Host: url.host, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'text/event-stream' }
  const header = Object.entries({ ...fields, 'Content-Length': body.length }).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`POST /graphql HTTP/1.1\r\n${header.join('')}\r\n${body.slice(0, 5)}`)
  await once(socket, 'connect')
  signal('SIGTERM')
  await waitFor(() =>
    fetch(`${url.origin}/livez`).then(
      () => false,
      () => true,
    ),
  )
  socket.write(body.slice(5))
  const response = await text(socket)
  expect(response).toMatch(/^HTTP\/1\.1 503 /)
  expect(response).toMatch(/\r\nRetry-After: 1\r\n/)
  expect(response).toContain('"code":"unavailable"')
  expect(await ended).toBe(0)
  expect(output().stderr).not.toContain('unexpected error')
})

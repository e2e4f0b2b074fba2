import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { globalId } from '../../../schema/core/global-id.ts'
import { subscribe } from '../../support/graphql/team-events.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService({ streamIntervalMilliseconds: 100 })
const { database, url } = service
const rename = (token: string, team: string, name: string) =>
  graphql(service, token, `mutation { updateTeam(input: { team: "${team}", name: "${name}" }) { team { slug } } }`)

/** The server processes of PostgreSQL that listen for changes. */
const listeners = async () => {
  const { rows } = await database.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN team_events'`,
  )
  return rows.map(({ pid }) => pid)
}

const pages = () => service.statements.filter((text) => text.includes('"isSettled"')).length
const ticks = () => service.statements.filter((text) => text.includes('INSERT INTO team_event_streams')).length

describe('open streams of events', () => {
  test('of a process share one statement per interval while no team changes', async () => {
    const { team, token } = await createOwnedTeam(database)
    const streams = await Promise.all(Array.from({ length: 5 }, () => subscribe(url, token, team.slug)))
    service.statements.length = 0
    await waitFor(() => ticks() > 6)
    // Each stream reads only when it checks its credential, at every sixth interval.
    expect(pages()).toBeLessThan((ticks() * streams.length) / 2)
    for (const { close } of streams) close()
  })
})

describe('a stream of events', () => {
  test('continues when the connection that reports changes is lost, and shares one with all streams', async () => {
    const { team, token } = await createOwnedTeam(database)
    const streams = await Promise.all([subscribe(url, token, team.slug), subscribe(url, token, team.slug)])
    const [pid, ...others] = await waitFor(async () => ((await listeners()).length > 0 ? listeners() : null))
    expect(others).toEqual([])
    await database.pool.query('SELECT pg_terminate_backend($1)', [pid])
    await rename(token, team.slug, 'one')
    for (const { actions } of streams) expect(await actions(1)).toEqual(['updateTeam'])
    const [next] = await waitFor(async () => ((await listeners()).length > 0 ? listeners() : null))
    expect(next).not.toBe(pid)
    for (const { close } of streams) close()
    await waitFor(async () => (await listeners()).length === 0)
  })

  test('sends a comment at intervals, and the identifier of each event and its cost', async () => {
    const { team, token } = await createOwnedTeam(database)
    const { read } = await openRaw(token, team.slug)
    await waitFor(() => read().split(':\n\n').length > 3)
    await rename(token, team.slug, 'one')
    const text = await waitFor(() => /id: .*\nevent: next\ndata: .*\n\n/.exec(read())?.[0])
    const entry = await database.prisma.auditEntry.findFirstOrThrow({ where: { teamId: team.id } })
    const cost = { requested: 2, limit: 50_000, remaining: 49_998 }
    const result = { data: { teamEvents: { subject: entry.subject } }, extensions: { cost } }
    expect(text).toBe(`id: ${globalId({ type: 'AuditEntry', key: [entry.id] })}\nevent: next\ndata: ${JSON.stringify(result)}\n\n`)
    expect(read()).toMatch(/^HTTP\/1\.1 200 .*content-type: text\/event-stream/is)
    expect(read()).not.toMatch(/content-encoding/i)
  })

  test('reads no further events while its client takes none', async () => {
    const { team, token } = await createOwnedTeam(database)
    const { socket, read } = await openRaw(token, team.slug)
    socket.pause()
    const count = 2000
    service.statements.length = 0
    await database.pool.query({
      text: `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, request_id)
        SELECT now(), 'updateTeam', 'operator', 'tester', 'command_line', $1, repeat('x', 10000) || i, 'test' FROM generate_series(1, $2) i`,
      values: [team.id, count],
    })
    let before = -1
    // Paused: no page was read within some intervals.
    let since = 0
    await waitFor(() => {
      if (pages() !== before) [before, since] = [pages(), ticks()]
      return before > 0 && ticks() > since + 5
    })
    expect(before).toBeLessThan(count / 100)
    socket.resume()
    await waitFor(() => read().length > count * 10_000 && read().split('event: next').length > count)
    expect(read().split('event: next')).toHaveLength(count + 1)
  })
})

/** A stream over a socket that the test can pause. */
async function openRaw(token: string, team: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  const body = JSON.stringify({ query: `subscription { teamEvents(team: "${team}") { subject } }` })
  const fields = [`Host: ${hostname}:${port}`, 'Accept: text/event-stream', 'Accept-Encoding: gzip, br', `Authorization: Bearer ${token}`]
  socket.write(
    [`POST /graphql HTTP/1.1`, ...fields, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
      '\r\n',
    ),
  )
  await waitFor(() => text.includes(':\n\n'))
  return { socket, read: () => text }
}

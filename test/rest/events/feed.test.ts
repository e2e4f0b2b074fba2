import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { settled } from '../../support/data/settled.ts'

const service = useService()
const { database } = service

let team: Team
let token: string
const read = async (query = '', credential = token) => {
  await settled(database.pool)
  return request(service, 'GET', `/api/v1/teams/${team.slug}/events${query}`, { token: credential })
}
const rename = (name: string) => request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name } })

beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database, { name: 'Acme 0' }))
  for (const number of [1, 2, 3, 4, 5]) await rename(`Acme ${number}`)
})

const namesOf = ({ body }: Awaited<ReturnType<typeof read>>) =>
  body.data.map(({ data }: { data: { changes: { name: { after: string } } } }) => data.changes.name.after)

describe('the feed of events', () => {
  test('lists what happened, oldest first, with the actor and what changed', async () => {
    const { status, headers, body } = await read('?per_page=2')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-accepted-scopes')).toBe('acct:team:events:read')
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      type: 'team.updated',
      occurred_at: expect.stringMatching(/Z$/),
      team: team.slug,
      sequence: expect.any(String),
      actor: { kind: 'user', id: expect.any(String), name: 'Ada' },
      data: { changes: { name: { before: 'Acme 0', after: 'Acme 1' } } },
    })
    const path = `${service.url}/api/v1/teams/${team.slug}/events`
    const next = `${path}?per_page=2&after=${encodeURIComponent(body.meta.next_cursor)}`
    expect(body.links).toEqual({ first: null, last: null, prev: null, next })
    expect(body.meta).toEqual({ path, per_page: 2, next_cursor: expect.any(String), prev_cursor: null })
  })

  test('is read page after page by its cursor, and continues when something happens', async () => {
    const pages: string[][] = []
    let cursor = ''
    for (let page = await read('?per_page=2'); page.body.data.length > 0; page = await read(`?per_page=2&after=${cursor}`)) {
      pages.push(namesOf(page))
      cursor = page.body.meta.next_cursor
    }
    expect(pages).toEqual([['Acme 1', 'Acme 2'], ['Acme 3', 'Acme 4'], ['Acme 5']])
    const empty = await read(`?after=${cursor}`)
    expect(empty.body).toMatchObject({ data: [], meta: { next_cursor: cursor } })
    await rename('Acme 6')
    expect(namesOf(await read(`?after=${cursor}`))).toEqual(['Acme 6'])
    // Under the name that Laravel's cursor paginators use. The links have one name.
    const page = await read(`?per_page=2&cursor=${cursor}`)
    expect([namesOf(page), page.body.links.next]).toEqual([['Acme 6'], expect.stringMatching(/\?per_page=2&after=[\w-]+$/)])
  })

  test('sorts by sequence as it lists', async () => {
    const { body } = await read()
    const sequences: string[] = body.data.map(({ sequence }: { sequence: string }) => sequence)
    expect(sequences).toEqual(sequences.toSorted())
    expect(new Set(sequences).size).toBe(sequences.length)
  })

  test('has a cursor from the beginning, also in a team in which nothing has happened', async () => {
    const other = await createOwnedTeam(database)
    const path = `/api/v1/teams/${other.team.slug}`
    const { body } = await request(service, 'GET', `${path}/events`, { token: other.token })
    expect(body.data).toEqual([])
    await request(service, 'PATCH', path, { token: other.token, body: { name: 'First' } })
    await settled(database.pool)
    const after = await request(service, 'GET', `${path}/events?after=${body.meta.next_cursor}`, { token: other.token })
    expect(namesOf(after)).toEqual(['First'])
  })

  test('is the same in GraphQL', async () => {
    const document = `query ($team: String!) { team(slug: $team) { events(first: 1, types: [TEAM_UPDATED]) {
      nodes { id: eventId type occurredAt team sequence actor { kind id: userId name } data } nextCursor } } }`
    const { data, errors } = await graphql(service, token, document, { team: team.slug })
    const { body } = await read('?per_page=1')
    expect(errors).toEqual([])
    const [{ occurred_at: occurredAt, ...event }] = body.data
    expect(data.team.events).toEqual({
      nodes: [{ ...event, occurredAt, type: 'TEAM_UPDATED', actor: { ...event.actor, kind: 'USER' } }],
      nextCursor: body.meta.next_cursor,
    })
  })

  test('refuses other cursors, types and sizes, and says which parameter is wrong', async () => {
    const { body } = await read('?per_page=1')
    const other = await createOwnedTeam(database)
    const foreign = await request(service, 'GET', `/api/v1/teams/${other.team.slug}/events?after=${body.meta.next_cursor}`, {
      token: other.token,
    })
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ['after']])
    const cursor: string = body.meta.next_cursor
    for (const damaged of [
      'garbage',
      'null',
      `${cursor.slice(0, -2)}AA`,
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}!`,
      ` ${cursor}`,
    ])
      for (const name of ['after', 'cursor']) {
        const refused = await read(`?${name}=${encodeURIComponent(damaged)}`)
        expect([damaged, refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([damaged, 422, ['after']])
      }
    for (const [query, name] of [
      ['?after=', 'after'],
      [`?after=${randomUUID()}`, 'after'],
      [`?after=${cursor}&cursor=${cursor}`, 'cursor'],
      ['?cursor[]=x', 'cursor'],
      ['?types[]=team.renamed', 'types.0'],
      ['?types=team.updated', 'types'],
      ['?per_page=101', 'per_page'],
      ['?per_page=0', 'per_page'],
    ] as const) {
      const refused = await read(query)
      expect([query, refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([query, 422, [name]])
    }
  })

  test('refuses a cursor that is older than the events that are kept', async () => {
    const { body } = await read('?per_page=1')
    service.clock.advance(401 * 86_400_000)
    const { status, body: problem } = await read(`?after=${body.meta.next_cursor}`, await teamToken(database, team))
    service.clock.advance(-401 * 86_400_000)
    expect([status, problem.code]).toEqual([410, 'cursor_expired'])
  })
})

describe('a credential that may not read everything', () => {
  let secret: string
  beforeAll(async () => {
    const invited = `${randomUUID()}@example.test`
    await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email: invited, role: 'member' } })
    secret = invited
  })
  const typesOf = async (credential: string) => {
    const { status, body } = await read('?per_page=100', credential)
    expect(status).toBe(200)
    if (!body.data.some(({ type }: { type: string }) => type === 'invitation.created')) expect(JSON.stringify(body)).not.toContain(secret)
    const types: string[] = body.data.map(({ type }: { type: string }) => type)
    return [...new Set(types)].toSorted()
  }

  test('receives the types that it may read, and is refused those that it names', async () => {
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const all = await personalToken(database, member)
    const eventsOnly = await teamToken(database, team, { scopes: ['acct:team:events:read'] })
    const withInvitations = await teamToken(database, team, { scopes: ['acct:team:events:read', 'acct:team:invitations:write'] })
    expect(await typesOf(all)).toEqual(['team.updated'])
    expect(await typesOf(eventsOnly)).toEqual(['team.updated'])
    expect(await typesOf(withInvitations)).toEqual(['invitation.created', 'team.updated'])
    const byRole = await read('?types[]=invitation.created', all)
    expect([byRole.status, byRole.body.code]).toEqual([403, 'role_required'])
    const byScope = await read('?types[]=team.updated&types[]=invitation.created', eventsOnly)
    expect([byScope.status, byScope.body.code]).toEqual([403, 'insufficient_scope'])
    expect(byScope.headers.get('www-authenticate')).toContain('acct:team:invitations:write')
  })

  test('is refused without the scope of events or the membership, on the next page', async () => {
    const without = await teamToken(database, team, { scopes: ['acct:team:members:read'] })
    expect((await read('', without)).body.code).toBe('insufficient_scope')
    const member = await createUser(database)
    await join(database, team, member, 'owner')
    const credential = await personalToken(database, member)
    const { body } = await read('?per_page=1', credential)
    const next = `?per_page=1&after=${body.meta.next_cursor}`
    expect((await read(next, credential)).status).toBe(200)
    await database.prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: member.id } }, data: { role: 'member' } })
    expect((await read('?types[]=invitation.created', credential)).body.code).toBe('role_required')
    await database.prisma.member.delete({ where: { teamId_userId: { teamId: team.id, userId: member.id } } })
    expect((await read(next, credential)).body.code).toBe('team_forbidden')
  })
})

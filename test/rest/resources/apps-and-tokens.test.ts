import { beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, teamToken } from '../../support/data/team.ts'
import type { AccessToken, Team, User } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('the applications of a team', () => {
  let team: Team
  let token: string
  beforeAll(async () => {
    ;({ team, token } = await createOwnedTeam(database))
  })
  const at = new Date('2026-03-01T12:00:00Z')
  let path: string
  beforeAll(async () => {
    for (const application of ['billing', 'domain', 'flow'] as const)
      await prisma.connectedApp.create({ data: { teamId: team.id, application, name: application.toUpperCase(), connectedAt: at } })
    await prisma.connectedApp.update({
      where: { teamId_application: { teamId: team.id, application: 'flow' } },
      data: { description: 'Filters', url: 'https://flow.example', status: 'suspended' },
    })
    path = `/api/v1/teams/${team.slug}/apps`
  })
  const flow = {
    id: 'flow',
    name: 'FLOW',
    description: 'Filters',
    url: 'https://flow.example',
    status: 'suspended',
    connected_at: '2026-03-01T12:00:00.000Z',
  }

  test('are listed in the order of the enum', async () => {
    const { status, body } = await request(service, 'GET', path, { token })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      { id: 'domain', name: 'DOMAIN', description: null, url: null, status: 'active', connected_at: '2026-03-01T12:00:00.000Z' },
      flow,
      { id: 'billing', name: 'BILLING', description: null, url: null, status: 'active', connected_at: '2026-03-01T12:00:00.000Z' },
    ])
  })

  test('are paginated', async () => {
    const { body } = await request(service, 'GET', `${path}?per_page=2&page=2`, { token })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['billing'])
    expect(body.meta).toMatchObject({ current_page: 2, from: 3, to: 3, total: 3, last_page: 2 })
  })

  test('can be read one by one, and an unconnected or unknown application returns 404', async () => {
    const { status, body } = await request(service, 'GET', `${path}/flow`, { token })
    expect([status, body]).toEqual([200, flow])
    for (const id of ['cert', 'unknown', '%00', 'FLOW'])
      expect((await request(service, 'GET', `${path}/${id}`, { token })).status).toBe(404)
  })
})

describe('the tokens of a team', () => {
  let team: Team
  let owner: User
  let token: string
  let value: string
  let hint: string
  let stored: AccessToken
  let path: string
  let metadata: object
  beforeAll(async () => {
    ;({ team, owner, token } = await createOwnedTeam(database))
    value = await teamToken(database, team, { scopes: ['acct:team:read', 'flow:rules:read'] })
    hint = `tat_…${value.slice(-4)}`
    stored = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    await prisma.accessToken.update({ where: { id: stored.id }, data: { createdById: owner.id, expiresAt: new Date('2030-01-01') } })
    path = `/api/v1/teams/${team.slug}/tokens`
    metadata = {
      id: stored.id,
      name: 'test',
      hint,
      scopes: ['acct:team:read', 'flow:rules:read'],
      created_by: { id: owner.id, name: owner.name },
      created_at: stored.createdAt.toISOString(),
      last_used_at: null,
      expires_at: '2030-01-01T00:00:00.000Z',
      revoked_at: null,
    }
  })

  test('are returned as metadata without value and hash', async () => {
    const list = await request(service, 'GET', path, { token })
    expect([list.status, list.body.data]).toEqual([200, [metadata]])
    const single = await request(service, 'GET', `${path}/${stored.id}`, { token })
    expect([single.status, single.body]).toEqual([200, metadata])
    expect(JSON.stringify([list.body, single.body])).not.toContain(value.slice(4, 30))
  })

  test('are listed newest first, including revoked tokens and tokens of a deleted creator', async () => {
    const later = await prisma.accessToken.create({
      data: {
        kind: 'team',
        teamId: team.id,
        name: 'later',
        scopes: [],
        hash: new Uint8Array(32),
        createdAt: new Date('2040-01-01'),
        revokedAt: new Date('2026-01-01'),
      },
    })
    const { body } = await request(service, 'GET', path, { token })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([later.id, stored.id])
    expect(body.data[0]).toMatchObject({ hint: 'tat_…', created_by: null, revoked_at: '2026-01-01T00:00:00.000Z' })
  })

  test('do not include a token of another team, which returns 404', async () => {
    const other = await createTeam(database)
    await teamToken(database, other)
    const foreign = await prisma.accessToken.findFirstOrThrow({ where: { teamId: other.id } })
    expect((await request(service, 'GET', `${path}/${foreign.id}`, { token })).status).toBe(404)
  })

  test('show the time of last use, rounded to the minute and written in the background', async () => {
    await request(service, 'GET', '/api/v1/teams', { token: value })
    await expect
      .poll(async () => (await prisma.accessToken.findUniqueOrThrow({ where: { id: stored.id } })).lastUsedAt?.toISOString())
      .toMatch(/:00\.000Z$/)
  })
})

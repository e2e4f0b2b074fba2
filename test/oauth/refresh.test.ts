import { describe, expect, test } from 'vitest'
import { request } from '../support/request.ts'
import { travel } from '../support/clock.ts'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'

const service = await startService()
const { database } = service

async function connected(options: Parameters<typeof createClient>[1] = {}) {
  const person = await createPerson(database)
  const client = await createClient(database, options)
  const { body } = await exchangeCode(service, client, await authorize(service, client, person))
  return { person, client, tokens: body }
}

const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }

const usable = async (accessToken: string) => (await request(service, 'GET', '/api/v1/user', { token: accessToken })).status

describe('a refresh token', () => {
  test('gives a new one every time', async () => {
    const { client, tokens } = await connected()
    const first = await refresh(service, client, tokens.refresh_token)
    expect(first.status).toBe(200)
    expect(Object.keys(first.body).sort()).toEqual(Object.keys(tokens).sort())
    expect(first.body.refresh_token).not.toBe(tokens.refresh_token)
    const second = await refresh(service, client, first.body.refresh_token)
    expect(second.status).toBe(200)
    expect(await usable(second.body.access_token)).toBe(200)
  })

  test('that was replaced revokes the whole grant, the newest token included', async () => {
    const { client, tokens } = await connected()
    const { body } = await refresh(service, client, tokens.refresh_token)
    const reused = await refresh(service, client, tokens.refresh_token)
    expect([reused.status, reused.body]).toEqual([400, invalidGrant])
    expect((await refresh(service, client, body.refresh_token)).body).toEqual(invalidGrant)
    expect(await usable(body.access_token)).toBe(401)
  })

  test.each([
    [
      'revoked',
      (client: TestClient) =>
        database.prisma.oAuthGrant.updateMany({ where: { oauthClientId: client.id }, data: { revokedAt: new Date() } }),
    ],
    [
      'over',
      (client: TestClient) =>
        database.prisma.oAuthGrant.updateMany({ where: { oauthClientId: client.id }, data: { expiresAt: new Date(0) } }),
    ],
  ])('of a grant that is %s is invalid', async (_, end) => {
    const { client, tokens } = await connected()
    await end(client)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('of a person who is disabled or deleted is invalid', async () => {
    for (const end of ['disable', 'delete']) {
      const { person, client, tokens } = await connected()
      if (end === 'disable') await database.prisma.user.update({ where: { id: person.id }, data: { disabledAt: new Date() } })
      else await database.prisma.user.delete({ where: { id: person.id } })
      expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
    }
  })

  test('of a person who left the selected team is invalid, while their access token reaches nothing', async () => {
    const person = await createPerson(database)
    const client = await createClient(database, { team: 'optional' })
    const team = await createTeam(database)
    await join(database, team, person, 'member')
    const { body } = await exchangeCode(service, client, await authorize(service, client, person, { choices: { Team: team.slug } }))
    expect(body.team).toBe(team.slug)
    await database.prisma.member.deleteMany({ where: { userId: person.id } })
    expect((await refresh(service, client, body.refresh_token)).body).toEqual(invalidGrant)
    const listed = await request(service, 'GET', '/api/v1/teams', { token: body.access_token })
    expect([listed.status, listed.body]).toEqual([200, { data: [] }])
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: body.access_token })).status).toBe(403)
  })

  test('whose answer was kept under another SECRET_KEY is refused like any that was used', async () => {
    const { client, tokens } = await connected({ refreshReplaySeconds: 60 })
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
    await database.prisma.oAuthAnswer.updateMany({ data: { sealed: Buffer.alloc(100, 1) } })
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('of another client is invalid', async () => {
    const { tokens } = await connected()
    const other = await createClient(database)
    expect((await refresh(service, other, tokens.refresh_token)).body).toEqual(invalidGrant)
  })
})

describe('50 uses of one refresh token at once', () => {
  test('get the same answer, and never two successors', async () => {
    const { client, tokens } = await connected()
    let token = tokens.refresh_token
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(service, client, token)))
      const given = answers.filter(({ status }) => status === 200).map(({ body }) => body.refresh_token)
      expect(new Set(given).size).toBe(1)
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
      token = given[0]
    }
    const alive = await database.prisma.oAuthArtifact.count({
      where: { kind: 'RefreshToken', consumedAt: null, grant: { oauthClientId: client.id } },
    })
    expect(alive).toBe(1)
  })
})

describe('a client with a replay window', () => {
  test('may ask again for a while, until the successor was used', async () => {
    const { client, tokens } = await connected({ refreshReplaySeconds: 60 })
    const first = await refresh(service, client, tokens.refresh_token)
    const again = await refresh(service, client, tokens.refresh_token)
    expect([again.status, again.body.refresh_token]).toEqual([200, first.body.refresh_token])
    const next = await refresh(service, client, first.body.refresh_token)
    expect(next.status).toBe(200)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
    expect((await refresh(service, client, next.body.refresh_token)).body).toEqual(invalidGrant)
  })

  test('may not once the window has passed', async () => {
    const { client, tokens } = await connected({ refreshReplaySeconds: 60 })
    await refresh(service, client, tokens.refresh_token)
    travel(61_000)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })
})

import { describe, expect, test } from 'vitest'
import { connectClient, invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { request } from '../../support/http/request.ts'
import { travel } from '../../support/service/clock.ts'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'

const service = useService()
const reuseMail = expect.objectContaining({ kind: 'refresh-token-reuse' })
const { database } = service

const statusWith = async (accessToken: string) => (await request(service, 'GET', '/api/v1/user', { token: accessToken })).status

describe('POST /api/oauth/token with a refresh token', () => {
  test('returns a new refresh token each time', async () => {
    const { client, tokens } = await connectClient(service)
    const first = await refresh(service, client, tokens.refresh_token)
    expect(first.status).toBe(200)
    expect(Object.keys(first.body).sort()).toEqual(Object.keys(tokens).sort())
    expect(first.body.refresh_token).not.toBe(tokens.refresh_token)
    const second = await refresh(service, client, first.body.refresh_token)
    expect(second.status).toBe(200)
    expect(await statusWith(second.body.access_token)).toBe(200)
  })

  test.each([
    [
      'revoked',
      (client: TestClient) =>
        database.prisma.oAuthGrant.updateMany({ where: { oauthClientId: client.id }, data: { revokedAt: new Date() } }),
    ],
    [
      'expired',
      (client: TestClient) =>
        database.prisma.oAuthGrant.updateMany({ where: { oauthClientId: client.id }, data: { expiresAt: new Date(0) } }),
    ],
  ])('returns invalid_grant when the grant is %s', async (_, endGrant) => {
    const { client, tokens } = await connectClient(service)
    await endGrant(client)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('returns invalid_grant when the user is disabled or deleted', async () => {
    for (const action of ['disable', 'delete']) {
      const { user, client, tokens } = await connectClient(service)
      if (action === 'disable') await database.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
      else await database.prisma.user.delete({ where: { id: user.id } })
      expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
    }
  })

  test('returns invalid_grant when the user left the selected team; the access token no longer gives access to it', async () => {
    const user = await createPerson(database)
    const client = await createClient(database, { team: 'optional' })
    const team = await createTeam(database)
    await join(database, team, user, 'member')
    const { body } = await exchangeCode(service, client, await authorize(service, client, user, { choices: { Team: team.slug } }))
    expect(body.team).toBe(team.slug)
    await database.prisma.member.deleteMany({ where: { userId: user.id } })
    expect((await refresh(service, client, body.refresh_token)).body).toEqual(invalidGrant)
    const listed = await request(service, 'GET', '/api/v1/teams', { token: body.access_token })
    expect([listed.status, listed.body]).toEqual([200, { data: [] }])
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: body.access_token })).status).toBe(403)
  })

  test('returns invalid_grant instead of a stored response that cannot be decrypted, as after a change of SECRET_KEY', async () => {
    const { client, tokens } = await connectClient(service, { refreshReplaySeconds: 60 })
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
    await database.prisma.tokenResponse.updateMany({ data: { encrypted: Buffer.alloc(100, 1) } })
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('returns invalid_grant for a refresh token of another client', async () => {
    const { tokens } = await connectClient(service)
    const other = await createClient(database)
    expect((await refresh(service, other, tokens.refresh_token)).body).toEqual(invalidGrant)
  })
})

describe('50 simultaneous requests with one refresh token', () => {
  test('create one new refresh token and never end the chain: each receives the same response or invalid_grant', async () => {
    const { client, tokens } = await connectClient(service)
    let token = tokens.refresh_token
    for (let round = 0; round < 20; round++) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => refresh(service, client, token)))
      const granted = responses.filter(({ status }) => status === 200).map(({ body }) => body.refresh_token)
      expect(new Set(granted).size).toBe(1)
      for (const { status, body } of responses) if (status !== 200) expect([status, body]).toEqual([400, invalidGrant])
      token = granted[0]
    }
    expect(service.mails).not.toContainEqual(reuseMail)
    const validCount = await database.prisma.oidcModel.count({
      where: { kind: 'RefreshToken', consumedAt: null, chain: { grant: { oauthClientId: client.id } } },
    })
    expect(validCount).toBe(1)
  })
})

describe('a client with a replay window', () => {
  test('receives the same response again until it uses the new refresh token', async () => {
    const { client, tokens } = await connectClient(service, { refreshReplaySeconds: 60 })
    const first = await refresh(service, client, tokens.refresh_token)
    const again = await refresh(service, client, tokens.refresh_token)
    expect([again.status, again.body.refresh_token]).toEqual([200, first.body.refresh_token])
    const next = await refresh(service, client, first.body.refresh_token)
    expect(next.status).toBe(200)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
    expect((await refresh(service, client, next.body.refresh_token)).body).toEqual(invalidGrant)
  })

  test('receives invalid_grant for a used refresh token after the window', async () => {
    const { client, tokens } = await connectClient(service, { refreshReplaySeconds: 60 })
    await refresh(service, client, tokens.refresh_token)
    travel(61_000)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../schema/core/sha256.ts'
import { createTokenValue, tokenKind } from '../../schema/tokens/token-value.ts'
import { request } from '../support/http/request.ts'
import { resourceMetadataOf } from '../support/http/resource-metadata.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/data/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('a token value', () => {
  test('has a prefix, random characters and a checksum', () => {
    expect(tokenKind('tat_0123456789ABCDEFGHIJKLMNOPQRST3gqFrJ')).toBe('team')
    expect(tokenKind('pat_0123456789ABCDEFGHIJKLMNOPQRST1fukiD')).toBe('personal')
    expect(createTokenValue('team')).toMatch(/^tat_[0-9A-Za-z]{36}$/)
    expect(createTokenValue('personal')).not.toBe(createTokenValue('personal'))
  })

  test('is invalid after any one character is changed', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.constantFrom('personal', 'team'), fc.nat(39), fc.nat(61), (kind, at, letter) => {
        const value = createTokenValue(kind)
        const changed = value.slice(0, at) + alphabet[letter] + value.slice(at + 1)
        expect(tokenKind(changed)).toBe(changed === value ? kind : null)
      }),
      { numRuns: 2000 },
    )
  })

  test('with a wrong checksum is rejected without a database statement', async () => {
    service.statements.length = 0
    const { status } = await request(service, 'GET', '/api/v1/teams', { token: 'tat_0123456789ABCDEFGHIJKLMNOPQRST3gqFrK' })
    expect([status, service.statements]).toEqual([401, []])
  })
})

describe('a credential', () => {
  const statusOf = async (token: string, path = '/api/v1/teams') => (await request(service, 'GET', path, { token })).status

  test('is stored only as a hash', async () => {
    const { team, token } = await createOwnedTeam(database)
    const values = [token, await teamToken(database, team)]
    const stored = await prisma.accessToken.findMany()
    for (const value of values) {
      expect(stored.some(({ hash }) => sha256(value).equals(hash))).toBe(true)
      expect(JSON.stringify(stored)).not.toContain(value.slice(4, 30))
    }
  })

  test('is valid until its expiry by the clock of the service', async () => {
    const { owner } = await createOwnedTeam(database)
    const token = await personalToken(database, owner, { expiresAt: new Date(service.clock.now().getTime() + 3_600_000) })
    expect(await statusOf(token)).toBe(200)
    service.clock.advance(3_600_000)
    expect(await statusOf(token)).toBe(401)
  })

  test('loses access on the next request after a change of role, membership, user status or token status', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    await join(database, team, await createUser(database), 'owner')
    const invoices = `/api/v1/teams/${team.slug}/invoices`
    const membership = { where: { teamId_userId: { teamId: team.id, userId: owner.id } } }
    expect(await statusOf(token, invoices)).toBe(200)
    await prisma.member.update({ ...membership, data: { role: 'member' } })
    expect(await statusOf(token, invoices)).toBe(403)
    await prisma.member.update({ ...membership, data: { role: 'billing' } })
    expect(await statusOf(token, invoices)).toBe(200)
    await prisma.member.delete(membership)
    expect(await statusOf(token, invoices)).toBe(403)
    await prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } })
    expect(await statusOf(token)).toBe(401)
    await prisma.user.update({ where: { id: owner.id }, data: { disabledAt: null } })
    expect(await statusOf(token)).toBe(200)
    await prisma.accessToken.updateMany({ where: { userId: owner.id }, data: { revokedAt: new Date() } })
    expect(await statusOf(token)).toBe(401)
  })

  test('of a team stays valid when its creator is deleted, and a personal token does not', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    await join(database, team, await createUser(database), 'owner')
    const teamTokenValue = await teamToken(database, team)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { createdById: owner.id } })
    await prisma.user.delete({ where: { id: owner.id } })
    expect([await statusOf(teamTokenValue), await statusOf(token)]).toEqual([200, 401])
  })

  test('receives responses that are neither cached nor content-sniffed', async () => {
    const { token } = await createOwnedTeam(database)
    const { headers } = await request(service, 'GET', '/api/v1/teams', { token })
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
  })

  test.each(['bearer', 'BEARER', 'Bearer '])('is accepted with the authentication scheme %j', async (scheme) => {
    const { token } = await createOwnedTeam(database)
    expect((await request(service, 'GET', '/api/v1/teams', { headers: { Authorization: `${scheme} ${token}` } })).status).toBe(200)
  })

  test.each(['Basic', 'Token', 'DPoP', ''])('is rejected with the authentication scheme %j and in the query string', async (scheme) => {
    const { token } = await createOwnedTeam(database)
    const { status, headers } = await request(service, 'GET', `/api/v1/teams?access_token=${token}`, {
      headers: { Authorization: `${scheme} ${token}` },
    })
    expect([status, headers.get('www-authenticate')]).toEqual([401, `Bearer realm="${service.url}", ${resourceMetadataOf(service.url)}`])
  })
})

describe('a rate limit of three requests per minute', () => {
  const limited = useService({ rateLimitApi: 3 })
  test('returns 429 for the fourth request of a credential and does not affect other credentials', async () => {
    const team = await createTeam(limited.database)
    const token = await teamToken(limited.database, team)
    for (let i = 0; i < 3; i++) expect((await request(limited, 'GET', '/api/v1/teams', { token })).status).toBe(200)
    const { status, headers, body } = await request(limited, 'GET', '/api/v1/teams', { token })
    expect([status, body]).toEqual([429, { message: 'Too Many Attempts.', code: 'rate_limited', request_id: expect.any(String) }])
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([`"api";r=0;t=${seconds}`, '"api";q=3;w=60'])
    expect((await request(limited, 'GET', '/api/v1/teams', { token: await teamToken(limited.database, team) })).status).toBe(200)
  })
})

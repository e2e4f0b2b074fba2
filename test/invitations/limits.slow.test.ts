import { describe, expect, test } from 'vitest'
import { invite } from '../support/data/invitation.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam, unique } from '../support/data/team.ts'

const service = useService()
const { database, clock } = service

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const guestAddress = () => `${unique('guest')}@example.test`

describe('the rate limit of invitations', () => {
  const expectedLimit = (retryAfter: number, policy: string, quota: number) => ({ retryAfter, policy: `"${policy}";q=${quota};w=3600` })
  const limitOf = ({ headers }: { headers: Headers }) => ({
    retryAfter: Number(headers.get('retry-after')),
    policy: headers.get('ratelimit-policy'),
  })

  test('allows five per hour to an address of a team and returns 429 with Retry-After for the sixth', async () => {
    const { team, token } = await createOwnedTeam(database)
    const email = guestAddress()
    const responses = await Promise.all(Array.from({ length: 8 }, () => invite(service, team.slug, token, { email, role: 'member' })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 204, 204, 204, 204, 429, 429, 429])
    const rejected = await invite(service, team.slug, token, { email, role: 'member' })
    expect([rejected.status, rejected.body]).toEqual([429, { message: 'Too Many Attempts.', code: 'rate_limited', request_id: uuid }])
    const { retryAfter, policy } = limitOf(rejected)
    expect({ retryAfter: Math.round(retryAfter / 60), policy }).toEqual(expectedLimit(60, 'invitations-per-address', 5))
    expect((await invite(service, team.slug, token, { email: guestAddress(), role: 'member' })).status).toBe(204)
    clock.advance(retryAfter * 1000)
    expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(204)
  })

  test('allows 100 per hour for a team', async () => {
    const { team, token } = await createOwnedTeam(database)
    for (let batch = 0; batch < 10; batch++) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => invite(service, team.slug, token, { email: guestAddress(), role: 'member' })),
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]))
    }
    const rejected = await invite(service, team.slug, token, { email: guestAddress(), role: 'member' })
    expect([rejected.status, limitOf(rejected).policy]).toEqual([429, '"invitations-per-team";q=100;w=3600'])
    clock.advance(3_600_000)
    expect((await invite(service, team.slug, token, { email: guestAddress(), role: 'member' })).status).toBe(204)
  })
})

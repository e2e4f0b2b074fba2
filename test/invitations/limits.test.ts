import { describe, expect, test } from 'vitest'
import { invite } from '../support/invitation.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, unique } from '../support/team.ts'

const service = await startService()
const { database, clock } = service

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
const guestAddress = () => `${unique('guest')}@example.test`

describe('how many invitations may be sent', () => {
  const limited = (retryAfter: number, policy: string, quota: number) => ({ retryAfter, policy: `"${policy}";q=${quota};w=3600` })
  const limitOf = ({ headers }: { headers: Headers }) => ({
    retryAfter: Number(headers.get('retry-after')),
    policy: headers.get('ratelimit-policy'),
  })

  test('five to an address of a team within an hour, counted exactly, then 429 with Retry-After', async () => {
    const { team, token } = await createOwnedTeam(database)
    const other = await createOwnedTeam(database)
    const email = guestAddress()
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(service, team.slug, token, { email, role: 'member' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 204, 204, 204, 204, 429, 429, 429])
    const refused = await invite(service, team.slug, token, { email, role: 'member' })
    expect([refused.status, refused.body]).toEqual([429, { message: 'Too Many Attempts.', code: 'rate_limited', request_id: uuid }])
    const { retryAfter, policy } = limitOf(refused)
    expect({ retryAfter: Math.round(retryAfter / 60), policy }).toEqual(limited(60, 'invitations-per-address', 5))
    expect((await invite(service, other.team.slug, other.token, { email, role: 'member' })).status).toBe(204)
    expect((await invite(service, team.slug, token, { email: guestAddress(), role: 'member' })).status).toBe(204)
    clock.advance(retryAfter * 1000)
    expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(204)
  })

  test('a hundred of a team within an hour', async () => {
    const { team, token } = await createOwnedTeam(database)
    for (let batch = 0; batch < 10; batch++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => invite(service, team.slug, token, { email: guestAddress(), role: 'member' })),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    }
    const refused = await invite(service, team.slug, token, { email: guestAddress(), role: 'member' })
    expect([refused.status, limitOf(refused).policy]).toEqual([429, '"invitations-per-team";q=100;w=3600'])
    clock.advance(3_600_000)
    expect((await invite(service, team.slug, token, { email: guestAddress(), role: 'member' })).status).toBe(204)
  })
})

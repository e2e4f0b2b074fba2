import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import { DomainError } from '../../schema/core/errors.ts'
import { createAttemptLimits } from '../../src/auth/attempt-limits.ts'
import type { AttemptLimit } from '../../schema/core/attempts/attempt-limit.ts'
import type { AttemptLimitSettings } from '../../src/auth/attempt-limits.ts'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { travel } from '../support/service/clock.ts'
import { useDatabase } from '../support/service/database.ts'
import { noAttemptLimits, secretKey } from '../support/service/test-settings.ts'

const { poolConfig } = useDatabase()
const database = openClient(poolConfig)
beforeEach(() => database.prisma.attemptCount.deleteMany())
afterAll(() => database.close())

const enabledLimits: AttemptLimitSettings = {
  rateLimitSignInAccount: 10,
  rateLimitSignInAddress: 100,
  rateLimitSignUp: 50,
  rateLimitClientSecret: 20,
  rateLimitUserCode: 10,
  rateLimitLink: 20,
  rateLimitAuthorization: 100,
}
const attemptLimitsWith = (limits: AttemptLimitSettings) =>
  createAttemptLimits({ database, deriveSecret: secretDeriver(secretKey), limits })
const attemptLimits = attemptLimitsWith(enabledLimits)

/** Makes this number of attempts at once. Returns how many were allowed; the others must be rejected as rate limited. */
async function countAllowed(limit: AttemptLimit, count: number, ...parts: string[]): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => limit.attempt(...parts)))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'rate_limited', message: 'Too Many Attempts.' })
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

const rejectionOf = async (limit: AttemptLimit, ...parts: string[]): Promise<DomainError> => {
  const [outcome] = await Promise.allSettled([limit.attempt(...parts)])
  if (outcome?.status !== 'rejected' || !(outcome.reason instanceof DomainError)) throw new Error('the attempt was allowed')
  return outcome.reason
}

describe('an attempt limit', () => {
  test.each([
    ['signInAccount', 10, 15 * 60],
    ['signInAddress', 100, 15 * 60],
    ['signUp', 50, 15 * 60],
    ['clientSecret', 20, 60],
    ['userCode', 10, 10 * 60],
    ['link', 20, 10 * 60],
  ] as const)('%s allows %i concurrent attempts per window of %i seconds', async (name, quota, windowSeconds) => {
    const limit = attemptLimits[name]
    expect(await countAllowed(limit, quota + 30, 'a', 'b')).toBe(quota)
    const { details } = await rejectionOf(limit, 'a', 'b')
    expect(details.limit).toEqual({ policy: expect.any(String), quota, windowSeconds })
    expect(details.retryAfterSeconds).toBeGreaterThan(windowSeconds - 20)
    expect(details.retryAfterSeconds).toBeLessThanOrEqual(windowSeconds)
    // Rejected attempts do not extend the window.
    travel((windowSeconds + 1) * 1000)
    expect(await countAllowed(limit, quota + 1, 'a', 'b')).toBe(quota)
  })

  test('counts separately for each key and each limit', async () => {
    expect(await countAllowed(attemptLimits.clientSecret, 30, 'client', '192.0.2.1')).toBe(20)
    expect(await countAllowed(attemptLimits.clientSecret, 1, 'client', '192.0.2.2')).toBe(1)
    expect(await countAllowed(attemptLimits.clientSecret, 1, 'client","192.0.2.1')).toBe(1)
    expect(await countAllowed(attemptLimits.link, 1, 'client', '192.0.2.1')).toBe(1)
  })

  test('allows more attempts after a refund or a reset', async () => {
    const { signInAccount } = attemptLimits
    expect(await countAllowed(signInAccount, 10, 'ada')).toBe(10)
    await signInAccount.refund('ada')
    expect(await countAllowed(signInAccount, 5, 'ada')).toBe(1)
    await signInAccount.clear('ada')
    expect(await countAllowed(signInAccount, 20, 'ada')).toBe(10)
  })

  test('is shared by all instances on one database', async () => {
    expect(await countAllowed(attemptLimits.userCode, 6, 'shared')).toBe(6)
    expect(await countAllowed(attemptLimitsWith(enabledLimits).userCode, 6, 'shared')).toBe(4)
  })

  test('stores neither accounts nor addresses in plain text', async () => {
    await attemptLimits.signInAccount.attempt('ada@example.test')
    await attemptLimits.signInAddress.attempt('192.0.2.77')
    const rows = await database.prisma.attemptCount.findMany({ orderBy: { key: 'asc' } })
    expect(rows.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^sign-in-account:[\w-]{43}$/),
      expect.stringMatching(/^sign-in-address:[\w-]{43}$/),
    ])
  })

  test('of a network names the limit of its /48 where that is reached, and gives refunds to both', async () => {
    const { clientSecret } = attemptLimits
    for (let network = 0; network < 16; network++) expect(await countAllowed(clientSecret, 21, 'client', `2001:db8:7:${network}`)).toBe(20)
    const { details } = await rejectionOf(clientSecret, 'client', '2001:db8:7:ff')
    expect(details.limit).toEqual({ policy: 'client-secret-site', quota: 320, windowSeconds: 60 })
    await clientSecret.refund('client', '2001:db8:7:1')
    expect(await countAllowed(clientSecret, 3, 'client', '2001:db8:7:ff')).toBe(1)
    expect(await countAllowed(clientSecret, 25, 'another client', '2001:db8:7:ff')).toBe(20)
  })

  test('of 0 allows all attempts', async () => {
    const { signInAccount } = attemptLimitsWith(noAttemptLimits)
    expect(await countAllowed(signInAccount, 50, 'unlimited')).toBe(50)
    await signInAccount.refund('unlimited')
    await signInAccount.clear('unlimited')
    expect(await countAllowed(signInAccount, 1, 'unlimited')).toBe(1)
  })

  test('rejects attempts while the database is unreachable', async () => {
    const unreachable = openClient({ host: '127.0.0.1', port: 1 })
    const { link } = createAttemptLimits({ database: unreachable, deriveSecret: secretDeriver(secretKey), limits: enabledLimits })
    await expect(link.attempt('192.0.2.1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await unreachable.close()
  })
})

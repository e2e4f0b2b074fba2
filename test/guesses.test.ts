import { afterAll, describe, expect, test } from 'vitest'
import { openClient } from '../prisma/client.ts'
import { DomainError } from '../schema/errors.ts'
import { createGuesses } from '../src/guesses.ts'
import type { GuessLimit, GuessSettings } from '../src/guesses.ts'
import { secretDeriver } from '../src/secret-key.ts'
import { travel } from './support/clock.ts'
import { createDatabase } from './support/database.ts'
import { secretKey } from './support/pace.ts'

const { poolConfig, drop } = await createDatabase()
const database = openClient(poolConfig)
afterAll(async () => {
  await database.close()
  await drop()
})

const off: GuessSettings = {
  rateLimitSignInAccount: 0,
  rateLimitSignInAddress: 0,
  rateLimitSignUp: 0,
  rateLimitClientSecret: 0,
  rateLimitUserCode: 0,
  rateLimitLink: 0,
}
const on: GuessSettings = {
  rateLimitSignInAccount: 10,
  rateLimitSignInAddress: 100,
  rateLimitSignUp: 50,
  rateLimitClientSecret: 20,
  rateLimitUserCode: 10,
  rateLimitLink: 20,
}
const guessesWith = (limits: GuessSettings) => createGuesses({ database, deriveSecret: secretDeriver(secretKey), limits })
const guesses = guessesWith(on)

/** Of so many guesses at once, those that were let through; the others must be refused as limits are. */
async function letThrough(limit: GuessLimit, count: number, ...parts: string[]): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => limit.attempt(...parts)))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'rate_limited', message: 'Too Many Attempts.' })
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

const refusalOf = async (limit: GuessLimit, ...parts: string[]): Promise<DomainError> => {
  const [outcome] = await Promise.allSettled([limit.attempt(...parts)])
  if (outcome?.status !== 'rejected' || !(outcome.reason instanceof DomainError)) throw new Error('it was let through')
  return outcome.reason
}

describe('a limit of guesses', () => {
  test.each([
    ['signInAccount', 10, 15 * 60],
    ['signInAddress', 100, 15 * 60],
    ['signUp', 50, 15 * 60],
    ['clientSecret', 20, 60],
    ['userCode', 10, 10 * 60],
    ['link', 20, 10 * 60],
  ] as const)('%s lets %i of many at once through, and again when its window has passed', async (name, quota, windowSeconds) => {
    const limit = guesses[name]
    expect(await letThrough(limit, quota + 30, 'a', 'b')).toBe(quota)
    const { details } = await refusalOf(limit, 'a', 'b')
    expect(details.limit).toEqual({ policy: expect.any(String), quota, windowSeconds })
    expect(details.retryAfterSeconds).toBeGreaterThan(windowSeconds - 20)
    expect(details.retryAfterSeconds).toBeLessThanOrEqual(windowSeconds)
    // Guessing on does not put the end of the window off.
    travel((windowSeconds + 1) * 1000)
    expect(await letThrough(limit, quota + 1, 'a', 'b')).toBe(quota)
  })

  test('counts by all its parts, and apart from other limits', async () => {
    expect(await letThrough(guesses.clientSecret, 30, 'client', '192.0.2.1')).toBe(20)
    expect(await letThrough(guesses.clientSecret, 1, 'client', '192.0.2.2')).toBe(1)
    expect(await letThrough(guesses.clientSecret, 1, 'client","192.0.2.1')).toBe(1)
    expect(await letThrough(guesses.link, 1, 'client', '192.0.2.1')).toBe(1)
  })

  test('gives back what was right, one by one or all', async () => {
    const { signInAccount } = guesses
    expect(await letThrough(signInAccount, 10, 'ada')).toBe(10)
    await signInAccount.forgive('ada')
    expect(await letThrough(signInAccount, 5, 'ada')).toBe(1)
    await signInAccount.clear('ada')
    expect(await letThrough(signInAccount, 20, 'ada')).toBe(10)
  })

  test('is shared by all processes', async () => {
    expect(await letThrough(guesses.userCode, 6, 'shared')).toBe(6)
    expect(await letThrough(guessesWith(on).userCode, 6, 'shared')).toBe(4)
  })

  test('keeps neither account nor address in the clear', async () => {
    await database.prisma.guessCount.deleteMany()
    await guesses.signInAccount.attempt('ada@example.test')
    await guesses.signInAddress.attempt('192.0.2.77')
    const rows = await database.prisma.guessCount.findMany({ orderBy: { key: 'asc' } })
    expect(rows.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^sign-in-account:[\w-]{43}$/),
      expect.stringMatching(/^sign-in-address:[\w-]{43}$/),
    ])
  })

  test('of 0 is none', async () => {
    const { signInAccount } = guessesWith(off)
    expect(await letThrough(signInAccount, 50, 'free')).toBe(50)
    await signInAccount.forgive('free')
    await signInAccount.clear('free')
    expect(await letThrough(signInAccount, 1, 'free')).toBe(1)
  })

  test('lets nobody through while the database is away', async () => {
    const away = openClient({ host: '127.0.0.1', port: 1 })
    const { link } = createGuesses({ database: away, deriveSecret: secretDeriver(secretKey), limits: on })
    await expect(link.attempt('192.0.2.1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await away.close()
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DomainError } from '../../schema/core/errors.ts'
import { createRateLimit } from '../../src/auth/rate-limit.ts'
import { repetitions } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'

// A limiter has all the state that a process has. test/reliability/rate-limit.slow.test.ts starts real processes.

const quota = 1200
const { database, clock, statements } = useService()
const isExchange = (text: string) => text.includes('request_counts')

/** Creates the limits of several processes, and a credential that sends requests to them. */
function createProcesses(count: number, quotaOfEach = quota) {
  const report = (error: unknown) => expect(error).toBeNull()
  const limits = Array.from({ length: count }, () => createRateLimit({ database, now: clock.now, report, quota: quotaOfEach }))
  const principal = { kind: 'team_token', credentialId: randomUUID(), tokenId: '', teamId: '', scopes: [] } as never
  const sent = { served: 0, refused: 0 }

  /** Sends a request to a process. */
  async function send(process: number): Promise<void> {
    try {
      await limits[process % count]?.count(principal)
      sent.served++
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'rate_limited')) throw error
      sent.refused++
    }
  }
  /** Sends requests over connections, each of which waits for its response. `processOf` returns the process of a request. */
  async function sendAll(total: number, connections: number, processOf: (index: number) => number): Promise<void> {
    let index = 0
    const connection = async () => {
      while (index < total) await send(processOf(index++))
    }
    await Promise.all(Array.from({ length: connections }, connection))
  }
  return { sent, send, sendAll, close: () => Promise.all(limits.map((limit) => limit.close())) }
}

describe.each([1, 2, 8, 16, 32])('%i processes', (count) => {
  test('serve the quota and at most 10 % more if requests are spread evenly', async () => {
    const { sent, sendAll, close } = createProcesses(count)
    statements.length = 0
    await sendAll(3 * quota, 2 * count, (index) => index)
    expect(sent.served).toBeGreaterThanOrEqual(quota)
    expect(sent.served).toBeLessThanOrEqual(quota * 1.1)
    // Far from one per request.
    expect(statements.filter(isExchange).length).toBeLessThan(quota / 4 + 8 * count)
    await close()
  })

  test('serve at most 10 % more if all know the count and one of them uses it up', async () => {
    const { sent, sendAll, close } = createProcesses(count)
    await sendAll(5 * count, 64, (index) => index)
    await sendAll(2 * quota, 16, () => 0)
    await sendAll(2 * quota, 64, (index) => index)
    expect(sent.served).toBeGreaterThanOrEqual(quota)
    expect(sent.served).toBeLessThanOrEqual(quota * 1.1)
    await close()
  })

  test('serve at most 10 % more of a small quota', async () => {
    const { sent, sendAll, close } = createProcesses(count, 20)
    for (let round = 0; round < repetitions({ short: 1, full: 10 }); round++) await sendAll(200, 64, (index) => index * 7)
    expect([sent.served]).toEqual([20])
    await close()
  })
})

test('a process serves a few requests without asking the database, and counts them together a second later', async () => {
  const { sent, send, close } = createProcesses(1)
  statements.length = 0
  for (let request = 0; request < 3; request++) await send(0)
  expect([sent.served, statements.filter(isExchange).length]).toEqual([3, 0])
  await expect.poll(() => statements.filter(isExchange).length, { timeout: 20_000 }).toBe(1)
  await close()
})

test('a process returns reservations that it does not use', async () => {
  const { sent, sendAll, close } = createProcesses(2)
  await sendAll(100, 4, () => 0)
  const { credentialId } = await database.prisma.requestCount.findFirstOrThrow({ orderBy: { endsAt: 'desc' } })
  const counted = async () => (await database.prisma.requestCount.findUniqueOrThrow({ where: { credentialId } })).requests
  clock.advance(1000)
  await expect.poll(counted, { timeout: 20_000 }).toBe(100)
  await sendAll(quota, 4, () => 1)
  expect([sent.served, sent.refused]).toEqual([quota, 100])
  await close()
})

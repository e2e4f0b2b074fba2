import { expect, test } from 'vitest'
import { createOwnedTeam } from '../support/data/team.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { repetitions } from '../support/service/full.ts'

const quota = repetitions({ short: 200, full: 1200 })
const total = repetitions({ short: 450, full: 2600 })
// test/auth/rate-limit-processes.slow.test.ts has up to 32 limiters in one process.
const processes = repetitions({ short: 2, full: 8 })
const pair = usePair({ RATE_LIMIT_API: String(quota) }, { processes })

/** Sends requests with one credential over 32 connections, which are spread over the processes. */
async function sendMany(token: string, paths: readonly string[]): Promise<Response[]> {
  const responses: Response[] = []
  let sent = 0
  const worker = async () => {
    while (sent < total) {
      const path = paths[sent++ % paths.length] ?? ''
      const response = await fetch(pair.url + path, { headers: { Authorization: `Bearer ${token}` } })
      await response.arrayBuffer()
      responses.push(response)
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  return responses
}

test('processes together serve the limit of a credential, and at most 10 % more', async () => {
  const { token } = await createOwnedTeam(pair.database)
  const responses = await sendMany(token, ['/api/v1/user', '/graphql?query={viewer{kind}}'])
  const served = responses.filter(({ status }) => status === 200)
  const refused = responses.filter(({ status }) => status === 429)
  expect(served.length + refused.length).toBe(total)
  expect(served.length).toBeGreaterThanOrEqual(quota)
  expect(served.length).toBeLessThanOrEqual(quota * 1.1)
  for (const { headers } of responses) expect(headers.get('ratelimit-policy')).toBe(`"api";q=${quota};w=60`)
  for (const { headers } of refused) {
    expect(headers.get('ratelimit')).toBe(`"api";r=0;t=${headers.get('retry-after')}`)
  }
})

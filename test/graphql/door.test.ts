import { serverAudits } from 'graphql-http'
import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'
import { createOwnedTeam } from '../support/team.ts'

const service = await startService()
const { token } = await createOwnedTeam(service.database)

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({
    url: `${service.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      headers.set('Authorization', `Bearer ${token}`)
      return fetch(url, { ...init, headers })
    },
  })
  test('is audited whole', () => expect(audits).toHaveLength(61))
  test.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
    const result = await audit.fn()
    expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok')
  })
})

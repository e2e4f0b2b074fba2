import { serverAudits } from 'graphql-http'
import { beforeAll, describe, expect, test } from 'vitest'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'

const service = useService()
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database))
})

describe('the GraphQL endpoint', () => {
  const audits = serverAudits({
    url: `${service.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      headers.set('Authorization', `Bearer ${token}`)
      return fetch(url, { ...init, headers })
    },
  })
  test('is checked by all 61 audits of graphql-http', () => expect(audits).toHaveLength(61))
  test.each(audits.map((audit) => [audit.name, audit] as const))('passes the audit: %s', async (_, audit) => {
    const result = await audit.fn()
    expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok')
  })
})

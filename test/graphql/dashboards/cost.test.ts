import { print } from 'graphql'
import type { DocumentNode } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { dashboards } from '../../support/graphql/dashboards/documents.ts'
import { createOwnerOfTeams } from '../../support/graphql/dashboards/teams.ts'
import { fetchApi } from '../../support/http/fetch-api.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let one: string
let fifty: string
beforeAll(async () => {
  ;({ token: one } = await createOwnerOfTeams(service, 1))
  ;({ token: fifty } = await createOwnerOfTeams(service, 50))
})

/** Those that authenticate, find the teams of a caller with more than ten, and record the use of the token. */
const ofCredential = /last_used_at = u\.at|FROM access_tokens c\b|json_build_array\(m\.role/

async function run(token: string, document: DocumentNode, variables: object) {
  service.statements.length = 0
  const response = await fetchApi(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: print(document), variables }),
  })
  const { errors, extensions } = await response.json()
  expect(errors).toBeUndefined()
  return { cost: extensions.cost, statements: service.statements.filter((text) => !ofCredential.test(text)).length }
}

describe.each(Object.entries(dashboards))('the dashboard “%s”', (_, [document, variables]: readonly [DocumentNode, object]) => {
  test('costs less than half of the limit of a request for 50 teams', async () => {
    const { cost } = await run(fifty, document, variables)
    expect(cost.requested).toBeGreaterThan(50)
    expect(cost.requested).toBeLessThan(cost.limit / 2)
  })

  test('sends as many statements for 50 teams as for one', async () => {
    const [small, large] = [await run(one, document, variables), await run(fifty, document, variables)]
    expect(large.statements).toBe(small.statements)
    expect(small.statements).toBeGreaterThan(0)
    expect(small.statements).toBeLessThan(8)
  })
})

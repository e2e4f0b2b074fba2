import { beforeAll, expect, test } from 'vitest'
import { graphql, noCost } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'

const service = useService()
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
})

const send = (Accept: string, query: string) => {
  const headers = { Authorization: `Bearer ${owned.token}`, 'Content-Type': 'application/json', Accept }
  return fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
}

test.each(['text/csv', 'text/html', 'application/json;charset=utf-16', 'application/xml, image/*'])(
  'a mutation with Accept: %s returns 406 and changes nothing',
  async (accept) => {
    const { slug, name } = owned.team
    const response = await send(accept, `mutation { updateTeam(input: { team: "${slug}", name: "Changed" }) { team { name } } }`)
    expect([response.status, await response.json()]).toEqual([
      406,
      {
        errors: [{ message: 'Not Acceptable.', extensions: { code: 'not_acceptable', request_id: expect.any(String) } }],
        extensions: noCost,
      },
    ])
    const { data } = await graphql(service, owned.token, `{ team(slug: "${slug}") { name } }`)
    expect(data.team.name).toBe(name)
  },
)

test.each([
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json; charset=UTF-8', 'application/json'],
  ['application/json; charset="utf-8"', 'application/json'],
  ['application/json;charset=utf8', 'application/json'],
  ['application/graphql-response+json; charset="UTF8", image/*', 'application/graphql-response+json'],
  ['image/*, application/json;q=0.1', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
])('a query with Accept: %j returns %s', async (accept, mediaType) => {
  const response = await send(accept, '{ viewer { kind } }')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, `${mediaType}; charset=utf-8`])
})

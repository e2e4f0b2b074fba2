import { getIntrospectionQuery } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { hostileRequests } from '../../support/graphql/hostile-documents.ts'
import { useMeasuredService } from '../../support/processes/measured/measured-service.ts'

const service = useMeasuredService({ RATE_LIMIT_API: '0' })
let token = ''
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database))
  await post({ query: '{ viewer { kind } }' })
})

async function post(body: unknown): Promise<any> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: Buffer.isBuffer(body) ? Uint8Array.from(body) : JSON.stringify(body),
  })
  return response.json()
}
const batchOf = (query: unknown) => Array.from({ length: 10 }, () => query)
const codesOf = (results: { errors?: { extensions: { code: string } }[] }[]) => results.map(({ errors }) => errors?.[0]?.extensions.code)

test('no document blocks the process', { timeout: 240_000 }, async () => {
  for (const { body } of Object.values(hostileRequests)) expect(await service.expectShortTurns(() => post(body))).toBeTypeOf('object')
})

test.each([
  'unknown arguments',
  'conflicting arguments',
  'variables of wrong types',
  'leaves of a field that is repeated as often as allowed',
])('no batch of documents with %s blocks the process', async (name) => {
  const results = await service.expectShortTurns(() => post(batchOf(hostileRequests[name]?.body)))
  expect(results).toHaveLength(10)
})

const types = 'name kind ofType { name kind ofType { name kind ofType { name kind } } }'
test.each([
  ['tools send', getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true })],
  [
    'has everything',
    `{ __schema { types { name description fields(includeDeprecated: true) { name description deprecationReason args { name description type { ${types} } } type { ${types} } } } } }`,
  ],
])('one introspection that %s is answered in a request, also in a batch', async (_, query) => {
  const results = await service.expectShortTurns(() => post(batchOf({ query })))
  expect(codesOf(results)).toEqual([undefined, ...Array.from({ length: 9 }, () => 'query_too_costly')])
})

test('twelve types are read in a request', async () => {
  const type = '__type(name: "Team") { fields { name description args { name description type { name } } } }'
  const all = Array.from({ length: 12 }, (_, index) => `a${index}: ${type}`)
  const { errors } = await service.expectShortTurns(() => post({ query: `{ ${all.join(' ')} }` }))
  expect(errors).toBeUndefined()
  expect(codesOf([await post({ query: `{ ${all.join(' ')} b: ${type} }` })])).toEqual(['query_too_costly'])
})

test('a document that costs as much as a request may is executed', async () => {
  const { database } = service
  const member = await createUser(database)
  for (let index = 0; index < 40; index++) {
    const team = await createTeam(database)
    await join(database, team, member, 'member')
    await database.pool.query(
      `WITH users AS (INSERT INTO users (id, email, name, email_verified)
         SELECT gen_random_uuid(), $1::text || n || '@x.example', repeat('ж"', 127), true FROM generate_series(1, 99) n RETURNING id)
       INSERT INTO members (team_id, user_id, role, all_applications, applications, joined_at)
       SELECT $2, id, 'member', true, '{}', now() FROM users`,
      [team.slug, team.id],
    )
  }
  token = await personalToken(database, member)
  const fields = 'id userId name email role accessibleAppIds avatarUrl joinedAt'
  const query = `{ teams { slug members(perPage: 100) { nodes { ${fields} } } } }`
  const { errors, extensions } = await service.expectShortTurns(() => post({ query }))
  expect([errors, extensions.cost.requested > 30_000]).toEqual([undefined, true])
})

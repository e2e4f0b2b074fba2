import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { expectNoFault } from '../../support/http/no-fault.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
})

interface Sent {
  body?: unknown
  search?: URLSearchParams
  accept?: string
}
const send = ({ body, search, accept = 'application/json' }: Sent) => {
  const headers = { Authorization: `Bearer ${owned.token}`, Accept: accept }
  return search
    ? fetch(`${service.url}/graphql?${search}`, { headers })
    : fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
}

const query = 'query ($isSelected: Boolean = true) { viewer { kind @include(if: $isSelected) } }'
const kind = { data: { viewer: { kind: 'PERSONAL_TOKEN' } } }

describe('a member of the request that is null', () => {
  const members = ['variables', 'operationName', 'extensions', 'documentId', 'unknown']

  test.each(members)('has the same effect in a POST as its absence: %s', async (name) => {
    const response = await send({ body: { query, [name]: null } })
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining(kind)])
  })

  test('has the same effect in each operation of a batch', async () => {
    const response = await send({ body: members.map((name) => ({ query, [name]: null })) })
    expect([response.status, await response.json()]).toEqual([200, members.map(() => expect.objectContaining(kind))])
  })

  test.each(['variables', 'extensions'])('has the same effect in a GET, as an empty parameter has: %s', async (name) => {
    for (const text of ['null', '']) {
      const response = await send({ search: new URLSearchParams({ query, [name]: text }) })
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining(kind)])
    }
  })

  test('has the same effect in a mutation and in a subscription', async () => {
    const mutation = `mutation { updateTeam(input: { team: "${owned.team.slug}", name: "Renamed" }) { team { name } } }`
    const response = await send({ body: { query: mutation, variables: null, operationName: null, extensions: null } })
    expect(await response.json()).toMatchObject({ data: { updateTeam: { team: { name: 'Renamed' } } } })
    const subscription = 'subscription ($team: String!) { teamEvents(team: $team) { action } }'
    const refused = await send({ body: { query: subscription, variables: null, operationName: null }, accept: 'text/event-stream' })
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: 'bad_user_input' }) })] }),
    ])
  })
})

// Values of the wrong type, and documents that need variables or a name.
const documents = [
  '{ viewer { kind } }',
  'query ($slug: String!) { team(slug: $slug) { name } }',
  'query ($slug: String = "x", $size: Int) { team(slug: $slug) { members(perPage: $size) { total } } }',
  'query A { viewer { kind } } query B { teams { total } }',
  'mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { errors { code } } }',
  'subscription ($team: String!) { teamEvents(team: $team) { action } }',
  '{ __schema { queryType { name } } }',
  'query ($name: String!) { __type(name: $name) { name } }',
  'fragment F on Team { name }',
  '{ ...F } fragment F on Query { ...F }',
  '{ viewer { kind } } { viewer { kind } }',
  '{',
  '',
]
const wrongValue = fc.oneof(
  fc.constantFrom(null, undefined, 0, -1, true, '', '\0', '\ud800', 'A', '__proto__', [], [null], {}, { length: 1 }, 'null'),
  fc.jsonValue(),
)
const variables = fc.dictionary(fc.constantFrom('slug', 'size', 'id', 'name', 'team', '__proto__', ''), wrongValue, { maxKeys: 3 })
const persisted = fc.record({ version: fc.constantFrom(1, 2, null), sha256Hash: wrongValue }, { requiredKeys: [] })
const wrongMembers = {
  query: wrongValue,
  variables: fc.oneof(variables, wrongValue),
  operationName: fc.oneof(fc.constantFrom('A', 'B', 'C', 'constructor'), wrongValue),
  extensions: fc.oneof(
    persisted.map((persistedQuery) => ({ persistedQuery })),
    wrongValue,
  ),
  documentId: wrongValue,
  unknown: wrongValue,
}
/** A document with one or two members that may be wrong: more of them would mostly test the first refusal. */
const parameters = fc
  .tuple(
    fc.constantFrom(...documents),
    fc.uniqueArray(
      fc.constantFrom(...Object.entries(wrongMembers)).chain(([name, value]) => value.map((wrong) => [name, wrong] as const)),
      { minLength: 1, maxLength: 2, selector: ([name]) => name },
    ),
  )
  .map(([document, wrong]) => Object.assign({ query: document }, Object.fromEntries(wrong)))
const body = fc.oneof({ weight: 6, arbitrary: parameters }, { weight: 2, arbitrary: fc.array(parameters, { maxLength: 3 }) }, wrongValue)
const text = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? ''))
const search = parameters.map((each) => new URLSearchParams(Object.entries(each).map(([name, value]) => [name, text(value)])))
const accept = fc.constantFrom('application/json', 'application/graphql-response+json', 'text/event-stream', '*/*', 'multipart/mixed')

describe('arbitrary GraphQL requests', () => {
  test('never cause a server error', { timeout: 3_600_000 }, async () => {
    const requests = fc.oneof(fc.record({ body, accept }), fc.record({ search, accept }))
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        await expectNoFault(service, await send(request), 'search' in request ? String(request.search) : request)
      }),
      fuzzing({ short: 400, full: 5_000 }),
    )
  })
})

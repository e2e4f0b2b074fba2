import { beforeAll, describe, expect, test } from 'vitest'
import { graphql, noCost } from '../../support/http/graphql.ts'
import { startService, useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database, url } = service
const { prisma } = database
let team: Team
let token: string
let Authorization: string
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
  Authorization = `Bearer ${token}`
})

const post = async (body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Authorization, 'Content-Type': 'application/json', ...headers },
    body,
  })
  const result: { errors: { extensions: { code: string } }[] } = await response.json()
  return { status: response.status, ...result }
}
const get = async (search: string) => {
  const response = await fetch(`${url}/graphql?${search}`, { headers: { Authorization } })
  return { status: response.status, body: await response.json() }
}

describe('an invalid GraphQL request', () => {
  const members = 'query ($a: Int) { team(slug: "x") { members(perPage: $a) { total } } }'
  const invoices = 'query ($a: Application) { team(slug: "x") { invoices(appId: $a) { total } } }'

  test.each([
    ['{', {}, 'graphql_parse_failed'],
    ['{ team(slug: "\\uD800") { name } }', {}, 'graphql_parse_failed'],
    ['{ nothing }', {}, 'graphql_validation_failed'],
    ['subscription { viewer { id } }', {}, 'graphql_validation_failed'],
    ['{ team(slug: "x") { members(perPage: 99999999999999999999) { total } } }', {}, 'graphql_validation_failed'],
    ['{ team(slug: "x") { invoices(appId: flow) { total } } }', {}, 'graphql_validation_failed'],
    ['query ($a: String!) { team(slug: $a) { name } }', {}, 'bad_user_input'],
    [members, { a: 'abc' }, 'bad_user_input'],
    [members, { a: 1e20 }, 'bad_user_input'],
    [members, { a: 1.5 }, 'bad_user_input'],
    [invoices, { a: 'flow' }, 'bad_user_input'],
    [invoices, { a: ['FLOW'] }, 'bad_user_input'],
    ['mutation ($a: UpdateTeamInput!) { updateTeam(input: $a) { team { slug } } }', { a: { team: 'x', slug: 'y' } }, 'bad_user_input'],
  ])('%s with the variables %j returns an error code', async (query, variables, code) => {
    const { status, data, errors } = await graphql(service, token, query, variables)
    expect([status, data, errors[0]?.extensions?.code]).toEqual([200, null, code])
  })

  test.each([
    'null',
    '5',
    '"x"',
    '[]',
    '{"query":5}',
    '{"query":"{viewer{id: userId}}","variables":[]}',
    '{"query":"{viewer{id: userId}}","x":1}',
  ])('with the body %s returns 400', async (body) => {
    const { status, errors } = await post(body, { Accept: 'application/graphql-response+json' })
    expect([status, errors[0]?.extensions.code]).toEqual([400, 'bad_request'])
  })

  test.each(['', '{}', '{"query":null}'])('with the body %j returns 400 because it has no query', async (body) => {
    expect(await post(body)).toEqual({
      status: 400,
      errors: [{ message: 'Must provide query string.', extensions: { code: 'bad_request', request_id: expect.any(String) } }],
      extensions: noCost,
    })
  })

  test.each(['variables', 'extensions'])('with invalid JSON in the query parameter %s returns 400', async (name) => {
    expect(await get(`query={viewer{kind}}&${name}={`)).toEqual({
      status: 400,
      body: {
        errors: [
          {
            message: `The query parameter ${name} is not valid JSON.`,
            extensions: { code: 'bad_request', request_id: expect.any(String) },
          },
        ],
        extensions: noCost,
      },
    })
    expect((await get(`query={viewer{kind}}&${name}=%7B%7D`)).body).toMatchObject({ data: { viewer: { kind: 'PERSONAL_TOKEN' } } })
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('with the method %s returns 405', async (method) => {
    const response = await fetch(`${url}/graphql`, { method, headers: { Authorization } })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }], extensions: noCost })
  })

  test('that sends a mutation with GET returns 405', async () => {
    expect(await get('query=mutation{revokeOtherSessions{errors{code}}}')).toMatchObject({
      status: 405,
      body: { errors: [{ extensions: { code: 'method_not_allowed' } }], extensions: noCost },
    })
  })

  test('to a path below the endpoint returns 404', async () => {
    for (const path of ['/graphql/health', '/graphql/x']) expect((await fetch(url + path, { headers: { Authorization } })).status).toBe(404)
  })

  test('with an operation name that the document does not contain returns 400', async () => {
    const { status, errors } = await post(JSON.stringify({ query: 'query A { viewer { id: userId } }', operationName: 'B' }))
    expect([status, errors[0]?.extensions.code]).toEqual([400, 'operation_resolution_failure'])
  })
})

test('GraphQL responses are neither cached nor content-sniffed', async () => {
  for (const headers of [new Headers({ Authorization }), new Headers()]) {
    const response = await fetch(`${url}/graphql?query={viewer{kind}}`, { headers })
    expect([response.headers.get('cache-control'), response.headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
  }
})

describe('an internal error', () => {
  test('returns only the request ID, under which the log contains the cause', async () => {
    await prisma.$executeRaw`ALTER TABLE connected_apps RENAME TO connected_apps_renamed`
    try {
      const { status, headers, data, errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { apps { total } } }`)
      const requestId = headers.get('x-request-id')
      const serverError = {
        message: 'Server Error',
        path: ['team', 'apps'],
        extensions: { code: 'server_error', request_id: requestId },
      }
      expect([status, data, errors]).toEqual([200, { team: { apps: null } }, [expect.objectContaining(serverError)]])
      expect(service.logged.filter((line) => line.requestId === requestId)).toEqual([
        expect.objectContaining({ err: expect.objectContaining({ message: expect.stringContaining('connected_apps') }) }),
      ])
    } finally {
      await prisma.$executeRaw`ALTER TABLE connected_apps_renamed RENAME TO connected_apps`
    }
  })
})

describe('a database connection that fails during an operation', () => {
  test('returns 503 with Retry-After and changes nothing', async () => {
    await prisma.$executeRaw`CREATE FUNCTION fail_update() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''lost'' USING ERRCODE = ''57P01''; END'`
    await prisma.$executeRaw`CREATE TRIGGER fail_update BEFORE UPDATE ON teams FOR EACH ROW EXECUTE FUNCTION fail_update()`
    try {
      const mutation = `mutation { updateTeam(input: { team: "${team.slug}", name: "Other" }) { team { name } } }`
      const { status, headers, data, errors } = await graphql(service, token, mutation)
      expect([status, headers.get('retry-after'), data]).toEqual([503, '1', { updateTeam: null }])
      expect(errors).toEqual([
        expect.objectContaining({
          message: 'Server Error',
          extensions: { code: 'unavailable', retry_after_seconds: 1, request_id: headers.get('x-request-id') },
        }),
      ])
    } finally {
      await prisma.$executeRaw`DROP TRIGGER fail_update ON teams`
    }
    expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe('Acme')
  })
})

describe('a rate limit of two requests per minute', () => {
  test('returns 429 for the third GraphQL request', async () => {
    const limited = await startService({ rateLimitApi: 2 })
    const { token } = await createOwnedTeam(limited.database)
    for (let i = 0; i < 2; i++) expect((await graphql(limited, token, '{ viewer { id: userId } }')).status).toBe(200)
    const { status, headers, errors } = await graphql(limited, token, '{ viewer { id: userId } }')
    const seconds = Number(headers.get('retry-after'))
    expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([429, `"api";r=0;t=${seconds}`, '"api";q=2;w=60'])
    expect(errors).toEqual([
      { message: 'Too Many Attempts.', extensions: { code: 'rate_limited', request_id: headers.get('x-request-id') } },
    ])
  })
})

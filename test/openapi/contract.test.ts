import { createServer } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { createContractAssertion } from '../support/http/contract.ts'
import type { Exchange } from '../support/http/contract.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { Team } from '../../prisma/generated/client/client.ts'
import { reservePort } from '../support/processes/port.ts'

// Checks the response validation that every REST test uses: real responses pass, responses with one defect fail.
const { database, url } = useService()
let team: Team
let token: string
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
})
const assertContract = createContractAssertion(openApiDocument({ publicUrl: url }))

async function exchange(method: string, path: string, body?: object, credential = token): Promise<Exchange> {
  const headers = { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { method, path, status: response.status, headers: response.headers, text: await response.text() }
}

/** Copies of an exchange with a changed body or without a header field. */
const withBody = (original: Exchange, change: (body: any) => void): Exchange => {
  const body = JSON.parse(original.text)
  change(body)
  return { ...original, text: JSON.stringify(body) }
}
const withoutHeader = (original: Exchange, name: string): Exchange => {
  const headers = new Headers(original.headers)
  headers.delete(name)
  return { ...original, headers }
}

describe('the validation of a response against the OpenAPI document', () => {
  let members: Exchange
  let unauthenticated: Exchange
  let invalid: Exchange
  let patched: Exchange
  beforeAll(async () => {
    members = await exchange('GET', `/api/v1/teams/${team.slug}/members`)
    unauthenticated = await exchange('GET', `/api/v1/teams/${team.slug}/members`, undefined, 'x')
    invalid = await exchange('GET', `/api/v1/teams/${team.slug}/members?page=0`)
    patched = await exchange('PATCH', `/api/v1/teams/${team.slug}`, { name: 'Acme' })
  })

  test('accepts the responses of the service', () => {
    expect([members, unauthenticated, invalid, patched].map(({ status }) => status)).toEqual([200, 401, 422, 200])
    for (const exchange of [members, unauthenticated, patched, { ...members, method: 'HEAD', text: '' }])
      expect(() => assertContract(exchange)).not.toThrow()
  })

  test.each<[string, () => Exchange, string]>([
    ['an undeclared status code', () => ({ ...members, status: 404 }), 'v1.teams.members.index returned 404: undeclared status code'],
    ['an additional field', () => withBody(members, (body) => (body.data[0].password = 'x')), '"additionalProperty":"password"'],
    ['an additional field of the envelope', () => withBody(members, (body) => (body.meta.extra = 1)), '"additionalProperty":"extra"'],
    ['a missing field', () => withBody(members, (body) => delete body.data[0].email), '"missingProperty":"email"'],
    ['null in a non-nullable field', () => withBody(members, (body) => (body.data[0].name = null)), 'data/data/0/name must be string'],
    ['a number in a string field', () => withBody(patched, (body) => (body.slug = 1)), 'data/slug must be string'],
    [
      'a value outside the enum',
      () => withBody(members, (body) => (body.data[0].role = 'OWNER')),
      'must be equal to one of the allowed values',
    ],
    [
      'a malformed date and time',
      () => withBody(members, (body) => (body.data[0].joined_at = '2026-01-31')),
      'must match format "date-time"',
    ],
    [
      'an error code of another status',
      () => withBody(unauthenticated, (body) => (body.code = 'not_found')),
      'must be equal to one of the allowed values',
    ],
    ['a missing challenge', () => withoutHeader(unauthenticated, 'www-authenticate'), 'header field WWW-Authenticate: is missing'],
    ['a missing request ID', () => withoutHeader(members, 'x-request-id'), 'header field X-Request-Id: is missing'],
    [
      'an undeclared content type',
      () => ({ ...members, headers: new Headers([...members.headers, ['content-type', 'x']]) }),
      'is undeclared',
    ],
    ['an undeclared body', () => ({ ...members, method: 'PATCH', path: `${members.path}/x`, status: 204 }), 'undeclared body'],
  ])('rejects %s', (_, createInvalid, message) => {
    const invalidExchange = createInvalid()
    expect(() => assertContract({ ...invalidExchange, path: invalidExchange.path.replace(/\?.*/, '') })).toThrow(message)
  })

  test.each([
    { path: '/api/v1/unknown', status: 404 },
    { path: '/api/v1/teams/%zz', status: 404 },
    { path: '/api/docs', status: 404 },
    { method: 'PUT', status: 405 },
    { status: 421 },
  ])('ignores responses that no operation declares: %j', (change) => {
    expect(() => assertContract({ ...members, text: '{}', ...change })).not.toThrow()
  })
})

test('request() validates every response against the OpenAPI document', async () => {
  const invalidServer = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end('{"data":[]}'))
  const { port, listen } = reservePort()
  await listen(invalidServer)
  onTestFinished(() => void invalidServer.close())
  const result = request({ url: `http://127.0.0.1:${port}` }, 'GET', '/api/v1/teams')
  await expect(result).rejects.toThrow('v1.teams.index returned 200: header field X-Request-Id: is missing')
})

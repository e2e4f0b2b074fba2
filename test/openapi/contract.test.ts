import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi.ts'
import { createContract } from '../support/contract.ts'
import type { Exchange } from '../support/contract.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam } from '../support/team.ts'

// The checker behind every REST test must be able to fail: real answers pass, each spoilt in one way does not.
const { database, url } = await startService()
const { team, token } = await createOwnedTeam(database)
const hold = createContract(openApiDocument({ publicUrl: url }))

async function exchange(method: string, path: string, body?: object, credential = token): Promise<Exchange> {
  const headers = { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { method, path, status: response.status, headers: response.headers, text: await response.text() }
}

/** The same answer with its body changed, or without a header field. */
const rewritten = (answer: Exchange, change: (body: any) => void): Exchange => {
  const body = JSON.parse(answer.text)
  change(body)
  return { ...answer, text: JSON.stringify(body) }
}
const without = (answer: Exchange, name: string): Exchange => {
  const headers = new Headers(answer.headers)
  headers.delete(name)
  return { ...answer, headers }
}

describe('the check of an answer against the OpenAPI document', async () => {
  const members = await exchange('GET', `/api/v1/teams/${team.slug}/members`)
  const refused = await exchange('GET', `/api/v1/teams/${team.slug}/members`, undefined, 'x')
  const invalid = await exchange('GET', `/api/v1/teams/${team.slug}/members?page=0`)
  const patched = await exchange('PATCH', `/api/v1/teams/${team.slug}`, { name: 'Acme' })

  test('passes what the service answers', () => {
    expect([members, refused, invalid, patched].map(({ status }) => status)).toEqual([200, 401, 422, 200])
    for (const answer of [members, refused, patched, { ...members, method: 'HEAD', text: '' }]) expect(() => hold(answer)).not.toThrow()
  })

  test.each<[string, Exchange, string]>([
    ['a status that is not declared', { ...members, status: 404 }, 'v1.teams.members.index answered 404: this status is not declared'],
    ['a member too many', rewritten(members, (body) => (body.data[0].password = 'x')), '"additionalProperty":"password"'],
    ['a member of the envelope too many', rewritten(members, (body) => (body.meta.extra = 1)), '"additionalProperty":"extra"'],
    ['a missing member', rewritten(members, (body) => delete body.data[0].email), '"missingProperty":"email"'],
    ['null where none may be', rewritten(members, (body) => (body.data[0].name = null)), 'data/data/0/name must be string'],
    ['a number where text is due', rewritten(patched, (body) => (body.slug = 1)), 'data/slug must be string'],
    ['a word outside the enum', rewritten(members, (body) => (body.data[0].role = 'OWNER')), 'must be equal to one of the allowed values'],
    ['an instant of another form', rewritten(members, (body) => (body.data[0].joined_at = '2026-01-31')), 'must match format "date-time"'],
    ['a code of another status', rewritten(refused, (body) => (body.code = 'not_found')), 'must be equal to one of the allowed values'],
    ['no challenge', without(refused, 'www-authenticate'), 'header field WWW-Authenticate: is missing'],
    ['no request id', without(members, 'x-request-id'), 'header field X-Request-Id: is missing'],
    ['another content type', { ...members, headers: new Headers([...members.headers, ['content-type', 'x']]) }, 'is not declared'],
    [
      'a body where none is declared',
      { ...members, method: 'PATCH', path: `${members.path}/x`, status: 204 },
      'a body where none is declared',
    ],
  ])('refuses %s', (_, answer, words) => {
    expect(() => hold({ ...answer, path: answer.path.replace(/\?.*/, '') })).toThrow(words)
  })

  test.each([
    { path: '/api/v1/nothing', status: 404 },
    { path: '/api/v1/teams/%zz', status: 404 },
    { path: '/api/docs', status: 404 },
    { method: 'PUT', status: 405 },
    { status: 421 },
  ])('passes over what no operation answers: %j', (change) => {
    expect(() => hold({ ...members, text: '{}', ...change })).not.toThrow()
  })
})

test('request() holds every answer to it', async () => {
  const liar = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end('{"data":[]}'))
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void liar.close())
  const asked = request({ url: `http://127.0.0.1:${(liar.address() as AddressInfo).port}` }, 'GET', '/api/v1/teams')
  await expect(asked).rejects.toThrow('v1.teams.index answered 200: header field X-Request-Id: is missing')
})

import { beforeAll, expect, test } from 'vitest'
import { createOwnedTeam, personalToken } from '../support/data/team.ts'
import { useService } from '../support/service/service.ts'

const service = useService({ rateLimitApi: 1000 })
const { database } = service
let token: string
let userId: string
beforeAll(async () => {
  const { owner } = await createOwnedTeam(database, { slug: 'acme' })
  userId = owner.id
  token = await personalToken(database, owner)
})

/** The field of every response of the service. */
const every = ['x-request-id']
const json = ['cache-control', 'content-length', 'content-type', 'vary', 'x-content-type-options']
const limit = ['ratelimit', 'ratelimit-policy']
const scopes = ['x-accepted-scopes', 'x-granted-scopes']
const crossOrigin = ['access-control-allow-origin', 'access-control-expose-headers']
const api = [...every, ...json, ...limit]
interface Sent extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>
  path: string
  isAnonymous?: true
}
const of = (path: string, init: Omit<Sent, 'path'> = {}): Sent => ({ path, ...init })

test.each<[string, Sent, number, string[]]>([
  ['a list', of('/api/v1/teams'), 200, [...api, ...scopes]],
  ['a resource', of('/api/v1/teams/acme'), 200, [...api, ...scopes, 'etag']],
  [
    'a resource for a page of another origin',
    of('/api/v1/teams', { headers: { Origin: 'https://app.example' } }),
    200,
    [...api, ...scopes, ...crossOrigin],
  ],
  ['HEAD', of('/api/v1/teams', { method: 'HEAD' }), 200, [...api, ...scopes]],
  ['a resource without a scope', of('/api/v1/user'), 200, [...api, 'x-granted-scopes']],
  [
    'a current copy',
    of('/api/v1/teams/acme', { headers: { 'If-None-Match': '*' } }),
    304,
    [...every, 'cache-control', 'etag', 'vary', 'x-content-type-options', ...limit, ...scopes],
  ],
  [
    'a change without a body',
    of('/api/v1/teams/acme/members/{userId}', {
      method: 'PATCH',
      body: '{"accessible_app_ids":null}',
      headers: { 'Content-Type': 'application/json' },
    }),
    204,
    [...every, ...limit, ...scopes],
  ],
  ['a missing credential', of('/api/v1/teams', { isAnonymous: true }), 401, [...api, 'www-authenticate', 'x-accepted-scopes']],
  ['an inaccessible team', of('/api/v1/teams/other'), 403, [...api, ...scopes]],
  ['an unknown path', of('/api/v1/unknown'), 404, api],
  ['a path that cannot be decoded', of('/api/v1/teams/%E0'), 404, api],
  ['an unknown method', of('/api/v1/teams', { method: 'DELETE' }), 405, [...api, 'allow']],
  ['an invalid parameter', of('/api/v1/teams/acme/members?page=0'), 422, [...api, ...scopes]],
  [
    'a preflight request',
    of('/api/v1/teams', { method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' } }),
    204,
    [
      ...every,
      ...limit,
      'access-control-allow-headers',
      'access-control-allow-methods',
      'access-control-allow-origin',
      'access-control-max-age',
    ],
  ],
  [
    'a GraphQL query',
    of('/graphql', { method: 'POST', body: '{"query":"{ viewer { id: userId } }"}', headers: { 'Content-Type': 'application/json' } }),
    200,
    [...every, ...limit, 'cache-control', 'content-length', 'content-type', 'vary', 'x-content-type-options'],
  ],
  [
    'a GraphQL query without a credential',
    of('/graphql', {
      method: 'POST',
      isAnonymous: true,
      body: '{"query":"{ viewer { id: userId } }"}',
      headers: { 'Content-Type': 'application/json' },
    }),
    401,
    [...every, ...limit, 'cache-control', 'content-length', 'content-type', 'vary', 'www-authenticate', 'x-content-type-options'],
  ],
  ['an unknown method of the token endpoint', of('/api/oauth/token', { method: 'DELETE' }), 405, [...every, ...json, 'allow']],
  ['an unknown method of the documentation', of('/api/docs', { method: 'DELETE' }), 405, [...every, ...json, 'allow']],
  [
    'discovery',
    of('/.well-known/openid-configuration'),
    200,
    [...every, 'access-control-allow-origin', 'content-length', 'content-type', 'vary'],
  ],
])('the response to %s has exactly its header fields', async (_, { path, isAnonymous, headers, ...init }, status, names) => {
  const all = new Headers({ ...headers, 'Accept-Encoding': 'identity' })
  if (!isAnonymous) all.set('Authorization', `Bearer ${token}`)
  const response = await fetch(service.url + path.replace('{userId}', userId), { ...init, headers: all })
  // The fields of the connection are those of Node.
  const sent = [...response.headers.keys()].filter((name) => !['connection', 'date', 'keep-alive'].includes(name))
  expect([response.status, sent.toSorted()]).toEqual([status, names.toSorted()])
})

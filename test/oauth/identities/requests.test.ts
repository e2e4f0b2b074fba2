import { beforeAll, describe, expect, test } from 'vitest'
import { useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { jwtBearerGrant } from '../../support/identities/identity.ts'
import { createJob, expectRefusal, useProvider } from '../../support/identities/job.ts'
import type { Job } from '../../support/identities/job.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { useService } from '../../support/service/service.ts'

// Requests that are not as RFC 7523 describes them.

const service = useService()
const { database } = service
const issuers = useCiIssuers()
let job: Job
let other: Job
beforeAll(async () => {
  job = await createJob(service, issuers)
  other = await createJob(service, issuers)
  await useProvider(job)
})

const valid = () => job.issuer.sign(job.claims())
const unknownId = '00000000-0000-4000-8000-000000000000'

const requests: [attack: string, fields: () => Promise<object> | object, error: string, description: RegExp][] = [
  ['without an assertion', () => ({ assertion: undefined }), 'invalid_request', /assertion/],
  ['with an empty assertion', () => ({ assertion: '' }), 'invalid_request', /assertion/],
  ['without client_id', () => ({ client_id: undefined }), 'invalid_request', /client/],
  ['with an empty client_id', () => ({ client_id: '' }), 'invalid_request', /client/],
  ['of an unknown identity', () => ({ client_id: unknownId }), 'invalid_client', /./],
  ['of an identity in upper case', () => ({ client_id: job.id.toUpperCase() }), 'invalid_client', /./],
  ['of an identity with NUL', () => ({ client_id: `${job.id}\0` }), 'invalid_client', /./],
  ['of the identity of another team', () => ({ client_id: other.id }), 'invalid_grant', /\biss\b/],
  [
    'with a public client',
    async () => ({ client_id: (await createClient(database, { confidential: false })).clientId }),
    'unauthorized_client',
    /./,
  ],
  ['with a confidential client', async () => ({ client_id: (await createClient(database)).clientId }), 'invalid_client', /./],
  ['for an unknown scope', () => ({ scope: 'acct:team:everything' }), 'invalid_scope', /scope/],
  ['for a scope that the identity lacks', () => ({ scope: 'acct:team:read acct:team:write' }), 'invalid_scope', /scope/],
  ['for a scope of users', () => ({ scope: 'openid' }), 'invalid_scope', /scope/],
  ['for offline access', () => ({ scope: 'offline_access' }), 'invalid_scope', /scope/],
  ['for a scope of staff', () => ({ scope: 'acct:staff:read' }), 'invalid_scope', /scope/],
  ['for an unknown resource', () => ({ resource: 'https://other.example.com' }), 'invalid_target', /resource/],
  ['with a client secret', () => ({ client_secret: 'x' }), 'invalid_client', /./],
]

describe('a request is refused and nothing changes:', () => {
  test.each(requests)('%s', async (_, fields, error, description) => {
    const assertion = await valid()
    const changes = { assertion, ...(await fields()) }
    await expectRefusal(service, () => job.exchange(assertion, changes), { error, description })
    // It did not use the assertion up.
    expect((await job.exchange(assertion)).status).toBe(200)
  })

  test.each([
    ['the identity and a secret', () => basicAuthorization(job.id, 'secret'), 'invalid_client'],
    ['the identity and no secret', () => basicAuthorization(job.id, ''), 'invalid_request'],
    ['another client', () => basicAuthorization('other', 'secret'), 'invalid_request'],
  ])('with HTTP Basic of %s', async (_, authorization, error) => {
    const assertion = await valid()
    const send = () => job.exchange(assertion, {}, { authorization: authorization() })
    await expectRefusal(service, send, { error, description: /./ })
  })

  test.each([
    ['assertion', 'invalid_request'],
    ['client_id', 'invalid_request'],
    ['scope', 'invalid_request'],
    ['grant_type', 'invalid_client'],
  ])('with %s twice', async (name, error) => {
    const assertion = await valid()
    const body = new URLSearchParams({ grant_type: jwtBearerGrant, client_id: job.id, assertion, scope: 'acct:team:read' })
    body.append(name, body.get(name) ?? '')
    const send = async () => {
      const response = await fetch(new URL('/api/oauth/token', service.url), { method: 'POST', body })
      return { status: response.status, body: await response.json() }
    }
    await expectRefusal(service, send, { error, description: /./ })
  })

  test('with an assertion of 100 kB, which is not read', async () => {
    const { status } = await job.exchange('A'.repeat(100_000))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })
})

// As with client credentials. The second request is one that oidc-provider answers.
test.each([{}, { unknown: '1' }, { resource: 'api' }])(
  'scopes of users and unknown ones are ignored beside others (%o)',
  async (fields) => {
    const resource = 'resource' in fields && { resource: `${service.url}/api` }
    for (const scope of [
      'openid acct:team:read',
      'acct:team:read profile email offline_access',
      'unknown  acct:team:read acct:team:scim',
    ]) {
      const { status, body } = await job.exchange(await valid(), { ...fields, ...resource, scope })
      expect([scope, status, body.scope]).toEqual([scope, 200, 'acct:team:read'])
    }
  },
)

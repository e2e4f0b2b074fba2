import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { assemble, grant, tokenPath, useAttackedClient } from '../../support/oauth/clients/attacked-client.ts'
import { assertionType, createAssertion, createClientKey, keySetOf } from '../../support/oauth/clients/client-keys.ts'
import { createClient, post } from '../../support/oauth/oauth.ts'
import type { TokenResponse } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Each row is a request that presents an assertion in a way that is not allowed, or for a client that may not use it.

const service = useService()
const { otherKey, client, other, claims, signed, send } = useAttackedClient(service)

const parameters = (client_assertion: string) => ({ client_assertion, client_assertion_type: assertionType })
const twice = (assertion: string): [string, string][] => [...Object.entries(parameters(assertion)), ['client_assertion', assertion]]
const encodeClaims = () => assemble({}, claims(), () => '').split('.')[1]

async function sendForm(fields: Record<string, string>, query = '', more: [string, string][] = []): Promise<TokenResponse> {
  const body = new URLSearchParams([...Object.entries(fields), ...more])
  const response = await fetch(`${service.url}${tokenPath}${query}`, { method: 'POST', headers: { accept: 'application/json' }, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Sends a valid assertion of a client that is registered in another way. */
function ofClient(options: () => Parameters<typeof createClient>[1]) {
  return async () => {
    const own = createClientKey()
    const changed = await createClient(service.database, { jwks: keySetOf(own), ...options() })
    return send(await createAssertion(service, changed, own))
  }
}

const rows: [name: string, status: 400 | 401, attack: () => Promise<TokenResponse>][] = [
  ['together with the secret', 400, async () => post(service, tokenPath, client(), { ...grant, ...parameters(await signed()) })],
  ['together with the secret in the form', 400, async () => send(await signed(), { client_secret: client().secret ?? '' })],
  [
    'together with the secret of another client',
    400,
    async () => post(service, tokenPath, other(), { ...grant, ...parameters(await signed()) }),
  ],
  ['together with another client_id', 400, async () => send(await signed(), { client_id: other().clientId })],
  ['without its type', 400, async () => sendForm({ ...grant, client_assertion: await signed() })],
  [
    'of another type',
    400,
    async () => send(await signed(), { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' }),
  ],
  ['in the query', 400, async () => sendForm(grant, `?${new URLSearchParams(parameters(await signed()))}`)],
  ['twice in the form', 400, async () => sendForm(grant, '', [...twice(await signed())])],
  ['that is no JWT', 400, () => send('not.a.jwt')],
  ['that is encrypted', 400, () => send('e30.e30.e30.e30.e30')],
  ['whose payload is a list', 400, () => send(assemble({ alg: 'ES256' }, [], () => 'AA'))],
  ['whose header is no JSON', 401, () => send(`e30x.${encodeClaims()}.AA`)],
  ['of a public client', 401, ofClient(() => ({ confidential: false, grantTypes: ['authorization_code'] }))],
  ['of a disabled client', 401, ofClient(() => ({ disabledAt: new Date() }))],
  ['of a client without keys', 401, ofClient(() => ({ jwks: undefined }))],
]

test.each(rows)('an assertion %s is refused with %s', async (_, status, attack) => {
  service.logged.length = 0
  const response = await attack()
  const error = status === 400 ? 'invalid_request' : 'invalid_client'
  expect([response.status, response.body]).toEqual([status, { error, error_description: expect.any(String) }])
  expect(service.logged).toEqual([])
  expect((await send(await signed())).status).toBe(200)
})

test('an assertion is accepted once, at all endpoints together, also if many requests send it at the same time', async () => {
  const assertion = await signed()
  const paths = [tokenPath, '/api/oauth/introspect', '/api/oauth/revoke', tokenPath, '/api/oauth/introspect', tokenPath]
  const statuses = await Promise.all(paths.map(async (path) => (await send(assertion, { token: 'A'.repeat(43) }, path)).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401, 401])
  const { status, body } = await send(assertion)
  expect([status, body]).toEqual([401, { error: 'invalid_client', error_description: 'the client assertion was used before' }])
})

test('the same jti is no obstacle to another client', async () => {
  const jti = randomUUID()
  expect((await send(await signed({ jti }))).status).toBe(200)
  expect((await send(await createAssertion(service, other(), otherKey, { jti }))).status).toBe(200)
})

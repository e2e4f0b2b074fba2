import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { tokenInState, tokenStates } from '../../support/oauth/access-token-states.ts'
import type { TokenInState } from '../../support/oauth/access-token-states.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { createClient, post } from '../../support/oauth/oauth.ts'
import { sendExactly } from '../../support/http/exact-request.ts'
import { sendRaw } from '../../support/http/raw.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/oauth.md#direct-responses. Introspection ignores the query; with one, oidc-provider responds.

const service = useService()
const { database, statements } = service
const path = '/api/oauth/introspect'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a request, and again so that oidc-provider responds. Returns both responses. */
async function sendTwice(headers: Record<string, string>, body?: string, method = 'POST') {
  const direct = await sendExactly(service, { method, path, headers, body })
  return { direct, provider: await sendExactly(service, { method, path: `${path}?by=oidc-provider`, headers, body }) }
}

const headersOf = ({ clientId, secret }: { clientId: string; secret: string | null }) => ({
  ...form,
  authorization: basicAuthorization(clientId, secret),
})

test('an active access token takes one statement', async () => {
  const { client, tokens } = await connectClient(service)
  const { direct, provider } = await sendTwice(headersOf(client), `token=${tokens.access_token}`)
  expect([JSON.parse(direct.body).active, direct]).toEqual([true, provider])
  statements.length = 0
  const fields = { token: tokens.access_token, token_type_hint: 'access_token' }
  expect((await post(service, path, client, fields)).body).toEqual(JSON.parse(direct.body))
  expect(statements).toHaveLength(1)
})

describe.each(tokenStates)('an access token that is %s', (state) => {
  test('receives the same response as from oidc-provider', async () => {
    const found = await tokenInState(database, state)
    const { direct, provider } = await sendTwice(headersOf(found), `token=${found.token}`)
    expect(direct).toEqual(provider)
  })
})

test('the response is that of oidc-provider for refresh tokens, other clients, public clients and wrong secrets', async () => {
  const { client, tokens } = await connectClient(service)
  const open = await connectClient(service, { confidential: false })
  const other = await createClient(database)
  const disabled = await createClient(database, { disabledAt: new Date() })
  const requests: [Record<string, string>, string][] = [
    [headersOf(client), tokens.refresh_token],
    [headersOf(other), tokens.access_token],
    [headersOf(disabled), tokens.access_token],
    [headersOf({ ...client, secret: other.secret }), tokens.access_token],
    [headersOf({ clientId: 'unknown', secret: client.secret }), tokens.access_token],
    [headersOf({ clientId: open.client.clientId, secret: 'x' }), open.tokens.access_token],
    [headersOf(client), open.tokens.access_token],
  ]
  for (const [headers, token] of requests) {
    const { direct, provider } = await sendTwice(headers, `token=${token}`)
    expect(direct).toEqual(provider)
  }
})

describe('for any authentication, header fields and body', () => {
  let states: TokenInState[]
  beforeAll(async () => {
    const names = ['valid', 'bound to a key', 'expired']
    states = await Promise.all(names.map((name) => tokenInState(database, name)))
  })

  test('the response is the same as from oidc-provider', async () => {
    const state = fc.nat({ max: 2 }).map((index) => states[index] ?? { token: '', clientId: '', secret: '' })
    const sent = state.chain(({ token, clientId, secret }) => {
      const basic = basicAuthorization(clientId, secret)
      const usual = `token=${token}`
      const authorizations = [
        [basic, basic, basic, basic, basic.replace('Basic', 'basic'), basic.replace(/=+$/, ''), `${basic}=`, `${basic} x`],
        [basicAuthorization(clientId, `${secret}x`), basicAuthorization(encodeURIComponent(`${clientId} `), secret)],
        [basicAuthorization(clientId.replace('-', '%2D'), secret), basicAuthorization(clientId, ''), 'Basic', `Bearer ${token}`],
      ].flat()
      const bodies = [
        [usual, usual, usual, `${usual}&token_type_hint=access_token`, `${usual}&`, `token_type_hint=refresh_token&${usual}`],
        [`${usual}&${usual}`, `${usual}&token_type_hint=x`, `${usual}&token_type_hint=a&token_type_hint=b`],
        [`${usual}&client_id=${clientId}`, `${usual}&client_id=x`, `${usual}&client_secret=${secret}`, `${usual}&client_assertion=x`],
        [`token=%41${token.slice(1)}`, `${usual}%20`, `${usual}x`, 'token=', '', 'token=a.b.c', `Token=${token}`, undefined],
      ].flat()
      return fc.record({ authorization: fc.constantFrom(...authorizations), body: fc.constantFrom(...bodies) })
    })
    const headers = fc.record(
      {
        'content-type': fc.constantFrom(
          'application/x-www-form-urlencoded; charset=UTF-8',
          'application/json',
          'text/plain; charset=utf-16',
        ),
        origin: fc.constantFrom('https://app.example', 'https://evil.example'),
        accept: fc.constantFrom('text/html', 'application/token-introspection+jwt'),
        dpop: fc.constantFrom('', 'x'),
        'oauth-client-attestation': fc.constant('x'),
        'oauth-client-attestation-pop': fc.constant('x'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        sent,
        fc.oneof(fc.constant({}), headers),
        fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT'),
        async (each, more, method) => {
          const { direct, provider } = await sendTwice({ ...form, authorization: each.authorization, ...more }, each.body, method)
          expect(direct).toEqual(provider)
          expect([direct.body.includes('server_error'), service.logged.splice(0)]).toEqual([false, []])
        },
      ),
      fuzzing({ short: 300, full: 5000 }),
    )
  })
})

test('a form that arrives in several pieces receives the same response', async () => {
  const found = await tokenInState(database, 'valid')
  const { direct } = await sendTwice(headersOf(found), `token=${found.token}`)
  const { hostname, port } = new URL(service.url)
  const body = `token=${found.token}`
  const response = await new Promise<unknown>((resolve, reject) => {
    const headers = { ...headersOf(found), 'content-length': String(body.length) }
    const sent = request({ hostname, port, path, method: 'POST', headers }, (received) => void json(received).then(resolve, reject))
    sent.on('error', reject)
    sent.write(body.slice(0, 10), () => setImmediate(() => sent.end(body.slice(10))))
  })
  expect(response).toEqual(JSON.parse(direct.body))
})

test('a connection serves direct and other responses in turn', async () => {
  const found = await tokenInState(database, 'valid')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const isActive = (token: string) =>
    new Promise<unknown>((resolve, reject) => {
      const sent = request(new URL(path, service.url), { agent, method: 'POST', headers: headersOf(found) }, (response) => {
        json(response).then((body) => resolve(Object(body)['active']), reject)
      })
      sent.on('error', reject)
      sent.end(`token=${token}`)
    })
  const unknown = 'A'.repeat(43)
  const tokens = [found.token, unknown, found.token, found.token, unknown, unknown, found.token]
  const results = []
  for (const token of tokens) results.push(await isActive(token))
  agent.destroy()
  expect(results).toEqual(tokens.map((token) => token === found.token))
})

test('a client that disconnects before its form arrives does not disturb the service', async () => {
  const found = await tokenInState(database, 'valid')
  const { authorization } = headersOf(found)
  const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nAuthorization: ${authorization}\r\nContent-Type: ${form['content-type']}\r\n`
  expect(await sendRaw(service.url, `${head}Content-Length: 49\r\n\r\n`, 500)).toBe('')
  const { direct, provider } = await sendTwice(headersOf(found), `token=${found.token}`)
  expect(direct).toEqual(provider)
  expect(service.logged).toEqual([])
})

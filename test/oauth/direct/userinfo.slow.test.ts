import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { tokenInState, tokenStates } from '../../support/oauth/access-token-states.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { sendExactly } from '../../support/http/exact-request.ts'
import type { ExactRequest } from '../../support/http/exact-request.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/oauth.md#direct-responses. UserInfo has no parameters in the query; with one, oidc-provider responds.

const service = useService()
const { database, statements } = service
const path = '/api/oauth/userinfo'

/** Sends a request, and again so that oidc-provider responds. Returns both responses. */
async function sendTwice(sent: Omit<ExactRequest, 'path'>) {
  const direct = await sendExactly(service, { ...sent, path })
  return { direct, provider: await sendExactly(service, { ...sent, path: `${path}?by=oidc-provider` }) }
}

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  statements.length = 0
  await work()
  return statements.length
}

test('a valid bearer token takes one statement', async () => {
  const { tokens } = await connectClient(service, {}, { changes: { scope: 'openid profile email' } })
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  for (const method of ['GET', 'POST']) {
    expect(await countStatements(() => sendExactly(service, { method, path, headers }))).toBe(1)
    expect(await countStatements(() => sendExactly(service, { method, path: `${path}?by=oidc-provider`, headers }))).toBe(2)
    const { direct, provider } = await sendTwice({ method, headers })
    expect([direct.status, direct]).toEqual([200, provider])
  }
})

describe.each(tokenStates)('an access token that is %s', (state) => {
  test('receives the same response as from oidc-provider', async () => {
    const { token } = await tokenInState(database, state)
    const { direct, provider } = await sendTwice({ method: 'GET', headers: { authorization: `Bearer ${token}` } })
    expect(direct).toEqual(provider)
  })
})

describe('with any method, header fields and body', () => {
  let tokens: string[]
  beforeAll(async () => {
    const states = ['valid', 'with openid only', 'without openid', 'bound to a key', 'expired']
    tokens = await Promise.all(states.map(async (state) => (await tokenInState(database, state)).token))
  })

  test('the response is the same as from oidc-provider', async () => {
    const token = fc.oneof(
      { weight: 4, arbitrary: fc.nat({ max: 4 }).map((index) => tokens[index] ?? '') },
      fc.constantFrom('A'.repeat(43), 'pat_x', ''),
    )
    const authorization = fc
      .tuple(
        fc.constantFrom('Bearer', 'bearer', 'BEARER', 'DPoP', 'Basic'),
        fc.constantFrom(' ', ' ', ' ', '  ', ''),
        token,
        fc.constantFrom('', '', '', ' x', ','),
      )
      .map((parts) => parts.join(''))
    const headers = fc.record(
      {
        authorization,
        origin: fc.constantFrom('https://app.example', 'https://evil.example', 'null'),
        dpop: fc.constantFrom('', 'x'),
        accept: fc.constantFrom('text/html', 'application/json', 'application/jwt'),
        'content-type': fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain'),
        cookie: fc.constant('session=x'),
      },
      { requiredKeys: [] },
    )
    const body = token.chain((value) => fc.constantFrom(undefined, undefined, '', `access_token=${value}`, 'scope=openid', '{}'))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS'),
        fc.oneof({ weight: 2, arbitrary: authorization.map((value) => ({ authorization: value })) }, headers),
        body,
        async (method, sent, content) => {
          const { direct, provider } = await sendTwice({ method, headers: sent, body: content })
          expect(direct).toEqual(provider)
          expect([direct.body.includes('server_error'), service.logged.splice(0)]).toEqual([false, []])
        },
      ),
      fuzzing({ short: 300, full: 5000 }),
    )
  })
})

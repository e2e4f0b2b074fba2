import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { createClient, createPerson, exchangeCode, pkce, post, signIn } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service

/** Pushes an authorization request (RFC 9126 §2.1). */
async function push(client: TestClient, changes: Record<string, string> = {}) {
  const { verifier, challenge } = pkce()
  const fields = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid offline_access',
    state: 'of the client',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  return { verifier, ...(await post(service, '/api/oauth/par', client, fields)) }
}

const addressOf = ({ clientId }: TestClient, requestUri: string) =>
  `/login/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri }).toString()}`
const heading = 'This does not work'

describe('a pushed authorization request', () => {
  test('is known by an address for a minute, and gives a code and a refresh token', async () => {
    const client = await createClient(database)
    const { status, body, verifier } = await push(client)
    expect([status, body]).toEqual([
      201,
      { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/), expires_in: 60 },
    ])
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(addressOf(client, body.request_uri)), await createPerson(database))
    const { url } = await browser.press(consent, 'Allow access')
    expect(url.searchParams.get('state')).toBe('of the client')
    const tokens = await exchangeCode(service, client, { code: url.searchParams.get('code') ?? '', verifier })
    expect([tokens.status, tokens.body.refresh_token]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)])
  })

  test('leads to a code once: the second use is refused, signed in or not', async () => {
    const client = await createClient(database)
    const { body } = await push(client)
    const address = addressOf(client, body.request_uri)
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(address), await createPerson(database))
    expect((await browser.press(consent, 'Allow access')).url.searchParams.get('code')).not.toBeNull()
    for (const each of [browser, new Browser(service.url)]) {
      const page = await each.open(address)
      expect([page.status, page.url.origin, page.root.querySelector('h1')?.text]).toEqual([400, service.url, heading])
      expect(page.text).toContain('invalid_request_uri')
    }
  })

  test('is gone after its minute, and nobody else’s', async () => {
    const client = await createClient(database)
    const other = await createClient(database)
    const { body } = await push(client)
    const foreign = await new Browser(service.url).open(addressOf(other, body.request_uri))
    expect([foreign.status, foreign.url.origin, foreign.root.querySelector('h1')?.text]).toEqual([400, service.url, heading])
    travel(61_000)
    const late = await new Browser(service.url).open(addressOf(client, body.request_uri))
    expect([late.status, late.url.origin, late.text]).toEqual([400, service.url, expect.stringContaining('invalid_request_uri')])
  })

  test.each([
    ['offline_access', 'openid offline_access'],
    ['acct:team:write', 'openid acct:team:write'],
  ])('for %s that is not registered is refused when it is pushed', async (scope, asked) => {
    const client = await createClient(database, { optionalScopes: ['teams'] })
    const { status, body } = await push(client, { scope: asked })
    expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description: 'requested scope is not allowed', scope }])
    expect(
      await database.prisma.oAuthArtifact.count({
        where: { kind: 'PushedAuthorizationRequest', payload: { path: ['clientId'], equals: client.clientId } },
      }),
    ).toBe(0)
  })

  test('for nothing that anybody could grant is refused when it is pushed', async () => {
    const client = await createClient(database)
    for (const scope of ['', 'bogus']) {
      const { status, body } = await push(client, { scope })
      expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description: 'no scope is requested that can be granted' }])
    }
  })

  test('of nobody in particular is refused', async () => {
    const client = await createClient(database)
    const { status, body } = await push({ ...client, secret: 'wrong' })
    expect([status, body]).toEqual([401, { error: 'invalid_client', error_description: 'client authentication failed' }])
  })
})

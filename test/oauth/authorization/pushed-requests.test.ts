import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { createClient, createPerson, exchangeCode, pkce, post, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
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

const authorizePath = ({ clientId }: TestClient, requestUri: string) =>
  `/login/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri }).toString()}`
const errorHeading = 'We can’t process this request'

describe('a pushed authorization request', () => {
  test('returns a request_uri that is valid for one minute and leads to a code and a refresh token', async () => {
    const client = await createClient(database)
    const { status, body, verifier } = await push(client)
    expect([status, body]).toEqual([
      201,
      { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/), expires_in: 60 },
    ])
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(authorizePath(client, body.request_uri)), await createPerson(database))
    const { url } = await browser.press(consent, 'Allow access')
    expect(url.searchParams.get('state')).toBe('of the client')
    const tokens = await exchangeCode(service, client, { code: url.searchParams.get('code') ?? '', verifier })
    expect([tokens.status, tokens.body.refresh_token]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)])
  })

  test('returns invalid_request_uri for the second use of a request_uri, with and without a session', async () => {
    const client = await createClient(database)
    const { body } = await push(client)
    const requestPath = authorizePath(client, body.request_uri)
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(requestPath), await createPerson(database))
    expect((await browser.press(consent, 'Allow access')).url.searchParams.get('code')).not.toBeNull()
    for (const visitor of [browser, new Browser(service.url)]) {
      const page = await visitor.open(requestPath)
      expect([page.status, page.url.origin, page.root.querySelector('h1')?.text]).toEqual([400, service.url, errorHeading])
      expect(page.text).toContain('invalid_request_uri')
    }
  })

  test('is rejected for another client and after one minute', async () => {
    const client = await createClient(database)
    const other = await createClient(database)
    const { body } = await push(client)
    const otherClient = await new Browser(service.url).open(authorizePath(other, body.request_uri))
    expect([otherClient.status, otherClient.url.origin, otherClient.root.querySelector('h1')?.text]).toEqual([
      400,
      service.url,
      errorHeading,
    ])
    travel(61_000)
    const late = await new Browser(service.url).open(authorizePath(client, body.request_uri))
    expect([late.status, late.url.origin, late.text]).toEqual([400, service.url, expect.stringContaining('invalid_request_uri')])
  })

  test.each([
    ['offline_access', 'openid offline_access'],
    ['acct:team:write', 'openid acct:team:write'],
  ])('returns invalid_scope for %s when the client is not registered for it', async (scope, requested) => {
    const client = await createClient(database, { optionalScopes: ['teams'] })
    const { status, body } = await push(client, { scope: requested })
    expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description: 'requested scope is not allowed', scope }])
    expect(
      await database.prisma.oidcModel.count({
        where: { kind: 'PushedAuthorizationRequest', payload: { path: ['clientId'], equals: client.clientId } },
      }),
    ).toBe(0)
  })

  test('returns invalid_scope when it contains no known scope', async () => {
    const client = await createClient(database)
    for (const scope of ['', 'bogus']) {
      const { status, body } = await push(client, { scope })
      expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description: 'no scope is requested that can be granted' }])
    }
  })

  test('returns invalid_client without valid client authentication', async () => {
    const client = await createClient(database)
    const { status, body } = await push({ ...client, secret: 'wrong' })
    expect([status, body]).toEqual([401, { error: 'invalid_client', error_description: 'client authentication failed' }])
  })
})

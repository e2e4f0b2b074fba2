import { describe, expect, test } from 'vitest'
import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh, signIn } from '../../support/oauth/oauth.ts'
import type { Authorized, TestClient } from '../../support/oauth/oauth.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/clients.md#trying-an-app. The page of the account site has no secret and a redirect URI that no client registers.

const service = useService()
const { database } = service
const page = `${service.url}/developers/try`

async function createApp(state: ClientState, options: Parameters<typeof createClient>[1] = {}) {
  const team = await createTeam(database)
  const member = await createPerson(database)
  await join(database, team, member, 'member')
  await join(database, team, await createUser(database), 'owner')
  return { team, member, client: await createClient(database, { ownerTeamId: team.id, state, ...options }) }
}

const exchange = (
  client: TestClient,
  { code, verifier }: Pick<Authorized, 'code' | 'verifier'>,
  uri: string,
  secret: string | null = null,
) =>
  post(
    service,
    '/api/oauth/token',
    { ...client, secret },
    { grant_type: 'authorization_code', code, redirect_uri: uri, code_verifier: verifier },
  )

const changes = { redirect_uri: page }

describe.each(['draft', 'submitted', 'listed', 'rejected'] as const)('an app that is %s', (state) => {
  test.each([true, false])('is tried by a member of its team without its secret; confidential: %s', async (confidential) => {
    const { client, member } = await createApp(state, { confidential })
    const authorized = await authorize(service, client, member, { changes })
    expect(`${authorized.callback.origin}${authorized.callback.pathname}`).toBe(page)
    const { status, body } = await exchange(client, authorized, page)
    expect([status, body.token_type, body.scope]).toEqual([200, 'Bearer', expect.stringContaining('openid')])
  })

  test('is not tried by others', async () => {
    const { client } = await createApp(state)
    const { url } = authorizationUrl(service, client, changes)
    const browser = new Browser(service.url)
    const answer = await signIn(browser, await browser.open(url), await createPerson(database))
    expect(answer.url.searchParams.get('code')).toBeNull()
    if (state === 'listed') expect(answer.url.searchParams.get('error')).toBe('access_denied')
    else expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('This app is not published yet')])
  })
})

describe('without its secret, a confidential app cannot', () => {
  test('exchange a code for another redirect URI, whatever URI the request names', async () => {
    const { client, member } = await createApp('listed')
    const authorized = await authorize(service, client, member)
    expect((await exchange(client, authorized, client.redirectUri)).body.error).toBe('invalid_client')
    expect((await exchange(client, authorized, page)).body.error).toBe('invalid_client')
  })

  test('end the tokens of a user with their used code', async () => {
    const { client } = await createApp('listed')
    const authorized = await authorize(service, client, await createPerson(database))
    const { body } = await exchangeCode(service, client, authorized)
    expect((await exchange(client, authorized, page)).body.error).toBe('invalid_client')
    expect((await refresh(service, client, body.refresh_token)).status).toBe(200)
  })

  test('exchange a code for the page with another redirect URI, or without the verifier', async () => {
    const { client, member } = await createApp('listed')
    const authorized = await authorize(service, client, member, { changes })
    expect((await exchange(client, authorized, client.redirectUri)).body.error).toBe('invalid_client')
    expect((await exchange(client, authorized, client.redirectUri, client.secret)).body.error).toBe('invalid_grant')
    expect((await exchange(client, { ...authorized, verifier: 'x'.repeat(43) }, page)).body.error).toBe('invalid_grant')
  })

  test('refresh the tokens', async () => {
    const { client, member } = await createApp('listed')
    const { body } = await exchange(client, await authorize(service, client, member, { changes }), page)
    const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: client.clientId, redirect_uri: page }
    expect((await post(service, '/api/oauth/token', { ...client, secret: null }, fields)).body.error).toBe('invalid_client')
  })
})

test.each([
  ['of the operator', { ownerTeamId: null }, page],
  ['with another path', {}, `${page}/x`],
  ['with a query', {}, `${page}?x=1`],
  ['on another host', {}, 'https://app.example/developers/try'],
])('the page is no redirect URI of a client %s', async (_, options, uri) => {
  const { client } = await createApp('listed', options)
  const { status, url } = await new Browser(service.url).open(authorizationUrl(service, client, { redirect_uri: uri }).url)
  expect([status, url.origin]).toEqual([400, service.url])
})

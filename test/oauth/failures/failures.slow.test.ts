import { describe, expect, test } from 'vitest'
import { executeWith } from '../../support/oauth/clients/team-client.ts'
import { operator } from '../../support/service/in-process.ts'
import { Browser } from '../../support/browser/browser.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { createTeam } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

// What the owners of a client learn about its refused requests: docs/decisions/clients.md#failures.

const service = useService()
const { database } = service
const { prisma } = database

const open = (client: TestClient, changes: Record<string, string | undefined>) =>
  new Browser(service.url).open(authorizationUrl(service, client, changes).url)
const token = (client: TestClient, fields: Record<string, string>) => post(service, '/api/oauth/token', client, fields)

/** The recorded failures of a client, once there is one. */
async function failuresOf({ clientId }: TestClient) {
  const document = 'query ($id: ID!) { client(clientId: $id) { failures { cause sent count message } } }'
  const read = async () => (await executeWith(service, operator, document, { id: clientId })).data.client.failures
  await waitFor(async () => (await read()).length > 0)
  return read()
}

type Refused = (client: TestClient) => Promise<unknown>

const pkceWords =
  'each authorization request needs a code_challenge with the method S256, and the token request the code_verifier that belongs to it'
const basicWords = 'Send the secret by HTTP Basic, or an assertion that is signed with a registered key'

const refused: [what: string, refuse: Refused, cause: string, sent: string, message: string][] = [
  [
    'an unregistered redirect URI',
    (client) => open(client, { redirect_uri: 'https://app.example/cb?user=ada@example.test#secret' }),
    'REDIRECT_URI',
    'https://app.example/cb',
    'redirect_uri was https://app.example/cb, registered is https://app.example/callback',
  ],
  [
    'a redirect URI with user information',
    (client) => open(client, { redirect_uri: 'https://ada:pw@app.example/callback' }),
    'REDIRECT_URI',
    'https://app.example/callback',
    'redirect_uri was https://app.example/callback, registered is https://app.example/callback',
  ],
  [
    'no redirect URI',
    (client) => open(client, { redirect_uri: undefined }),
    'REDIRECT_URI',
    '',
    'redirect_uri was absent, registered is https://app.example/callback',
  ],
  [
    'an unregistered scope',
    (client) => open(client, { scope: 'openid acct:team:invoices:read' }),
    'SCOPE',
    'acct:team:invoices:read',
    'scope was acct:team:invoices:read, registered is openid profile email offline_access teams acct:team:read acct:team:members:read',
  ],
  [
    'another response type',
    (client) => open(client, { response_type: 'token' }),
    'RESPONSE_TYPE',
    'token',
    'response_type was token, it must be code',
  ],
  [
    'no PKCE',
    (client) => open(client, { code_challenge: undefined, code_challenge_method: undefined }),
    'PKCE',
    '',
    `code_challenge was absent: ${pkceWords}`,
  ],
  [
    'PKCE with the method plain',
    (client) => open(client, { code_challenge_method: 'plain' }),
    'PKCE',
    'code_challenge_method was plain',
    `code_challenge_method was plain: ${pkceWords}`,
  ],
  [
    'a wrong secret',
    (client) =>
      post(service, '/api/oauth/token', { ...client, secret: 'x'.repeat(43) }, { grant_type: 'refresh_token', refresh_token: 'x' }),
    'CLIENT_AUTHENTICATION',
    'invalid secret provided',
    `client authentication failed: invalid secret provided. ${basicWords}`,
  ],
  [
    'an unregistered grant type',
    (client) => token(client, { grant_type: 'client_credentials' }),
    'GRANT_TYPE',
    'client_credentials',
    'grant_type was client_credentials, registered is authorization_code or refresh_token',
  ],
  [
    'an unknown code',
    (client) =>
      token(client, {
        grant_type: 'authorization_code',
        code: 'x'.repeat(43),
        redirect_uri: client.redirectUri,
        code_verifier: 'x'.repeat(43),
      }),
    'CODE',
    '',
    'the code was wrong, expired, used before, or issued to another app: exchange it once, within a minute',
  ],
  [
    'an unknown refresh token',
    (client) => refresh(service, client, 'x'.repeat(43)),
    'REFRESH_TOKEN',
    '',
    'the refresh token was wrong, expired, revoked or replaced by a newer one: store the newest one',
  ],
]

describe('a refused request', () => {
  test.concurrent.each(refused)(
    'with %s is recorded with its cause, and without data of users',
    async (_, refuse, cause, sent, message) => {
      const client = await createClient(database)
      await refuse(client)
      expect(await failuresOf(client)).toEqual([{ cause, sent, count: 1, message }])
      const rows = await prisma.authorizationFailure.findMany({ where: { oauthClientId: client.id } })
      expect(JSON.stringify(rows)).not.toMatch(/ada@|#secret|:pw/)
    },
  )

  test('with a wrong verifier or another redirect URI at the token endpoint is recorded', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    await exchangeCode(service, client, { ...(await authorize(service, client, user)), verifier: 'y'.repeat(43) })
    const authorized = await authorize(service, client, user)
    await exchangeCode(service, { ...client, redirectUri: 'https://app.example/other' }, authorized)
    await expect.poll(() => prisma.authorizationFailure.count({ where: { oauthClientId: client.id } }), { timeout: 5000 }).toBe(2)
    const failures = await failuresOf(client)
    expect(failures.map(({ cause, sent }: Record<string, string>) => [cause, sent]).toSorted()).toEqual([
      ['PKCE', 'code_verifier was absent or wrong'],
      ['REDIRECT_URI', 'https://app.example/other'],
    ])
  })

  test('that was pushed is recorded', async () => {
    const client = await createClient(database)
    await post(service, '/api/oauth/par', client, {
      client_id: client.clientId,
      redirect_uri: 'https://app.example/x',
      response_type: 'code',
      scope: 'openid',
    })
    expect(await failuresOf(client)).toMatchObject([{ cause: 'REDIRECT_URI' }])
  })

  test('of a user who is not a member, for a draft, is recorded without the user', async () => {
    const team = await createTeam(database)
    const client = await createClient(database, { ownerTeamId: team.id, state: 'draft' })
    const browser = new Browser(service.url)
    await signIn(browser, await browser.open(authorizationUrl(service, client).url), await createPerson(database))
    expect(await failuresOf(client)).toEqual([
      { cause: 'NOT_A_MEMBER', sent: '', count: 1, message: expect.stringMatching(/^someone outside the team/) },
    ])
  })

  test('is counted with others that sent the same, and limited to 100 different ones a day', async () => {
    const client = await createClient(database)
    for (let round = 0; round < 3; round++) await open(client, { response_type: 'token' })
    expect(await failuresOf(client)).toMatchObject([{ cause: 'RESPONSE_TYPE' }])
    await Promise.all(Array.from({ length: 120 }, (_, index) => open(client, { redirect_uri: `https://evil.example/${index}` })))
    const count = () => prisma.authorizationFailure.count({ where: { oauthClientId: client.id } })
    await expect.poll(count, { timeout: 5000 }).toBe(100)
    await open(client, { response_type: 'token' })
    const sum = async () => (await failuresOf(client)).find(({ cause }: { cause: string }) => cause === 'RESPONSE_TYPE').count
    await expect.poll(sum, { timeout: 5000 }).toBe(4)
    expect(await count()).toBe(100)
  })

  test('of an unknown client, and what a user decides, is not recorded', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(authorizationUrl(service, client).url), user)
    await browser.press(consent, 'Deny')
    await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    await open({ ...client, clientId: 'unknown' }, {})
    await fetch(`${service.url}/api/oauth/token`, { method: 'POST', headers: { authorization: basicAuthorization('unknown', 'x') } })
    await open(client, { response_type: 'token' })
    expect(await failuresOf(client)).toMatchObject([{ cause: 'RESPONSE_TYPE', count: 1 }])
    expect(await prisma.authorizationFailure.count({ where: { oauthClientId: client.id } })).toBe(1)
  })
})

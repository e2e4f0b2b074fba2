import { expect, test } from 'vitest'
import { createTeam } from '../../support/data/team.ts'
import { sendExactly } from '../../support/http/exact-request.ts'
import { request } from '../../support/http/request.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { createClientKey, keySetOf } from '../../support/oauth/clients/client-keys.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/oauth.md#direct-responses. The token endpoint ignores the query; with one, oidc-provider responds.

const service = useService()
const { database, statements } = service
const path = '/api/oauth/token'

/** Sends a request, and again so that oidc-provider responds. Returns both responses, without the values that differ. */
async function sendTwice(client: { clientId: string; secret: string | null }, body: string, more: Record<string, string> = {}) {
  const authorization = basicAuthorization(client.clientId, client.secret)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization, ...more }
  const send = async (target: string) => {
    const response = await sendExactly(service, { method: 'POST', path: target, headers, body })
    return { ...response, body: response.body.replace(/"[\w-]{44}"/, '"…"') }
  }
  return { direct: await send(path), provider: await send(`${path}?by=oidc-provider`) }
}
const createMachine = async (options: ClientOptions = {}) => createTeamClient(database, await createTeam(database), options)

test('a token takes two statements, and is stored as oidc-provider stores it', async () => {
  const client = await createMachine()
  const { direct, provider } = await sendTwice(client, 'grant_type=client_credentials')
  expect([JSON.parse(direct.body).expires_in, direct]).toEqual([900, provider])
  const where = { payload: { path: ['clientId'], equals: client.clientId } }
  const rows = await database.prisma.oidcModel.findMany({ where, select: { kind: true, payload: true } })
  const [first, second] = rows.map(({ kind, payload }) => ({ kind, payload: { ...Object(payload), iat: 0, exp: 0 } }))
  expect([rows.length, first]).toEqual([2, second])
  statements.length = 0
  const { body } = await requestMachineToken(service, client, { scope: 'teams' })
  expect(statements).toHaveLength(2)
  expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).body.scopes).toEqual(['teams'])
})

test.each<[string, ClientOptions, string, Record<string, string>?]>([
  ['with scopes', {}, 'grant_type=client_credentials&scope=teams+acct%3Ateam%3Aread'],
  ['with scopes of users', {}, 'grant_type=client_credentials&scope=openid+teams+profile'],
  ['with blanks between scopes', {}, 'grant_type=client_credentials&scope=teams++acct%3Ateam%3Aread+'],
  ['with an empty scope', {}, 'grant_type=client_credentials&scope='],
  ['with scopes that are not registered', { optionalScopes: ['teams'] }, 'grant_type=client_credentials&scope=acct%3Ateam%3Aread'],
  ['with scopes of users only', {}, 'grant_type=client_credentials&scope=openid'],
  ['without scopes to have', { optionalScopes: ['openid'] }, 'grant_type=client_credentials'],
  ['with two scopes', {}, 'grant_type=client_credentials&scope=teams&scope=teams'],
  ['with two grant types', {}, 'grant_type=client_credentials&grant_type=client_credentials'],
  ['with another parameter', {}, 'grant_type=client_credentials&x=1'],
  ['with its client_id', {}, 'grant_type=client_credentials&client_id=x'],
  ['without a grant type', {}, 'scope=teams'],
  ['with an Origin', {}, 'grant_type=client_credentials', { origin: 'https://app.example' }],
  [
    'of a client without the grant',
    { grantTypes: ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] },
    'grant_type=client_credentials',
  ],
  ['of a client without a team', { ownerTeamId: null }, 'grant_type=client_credentials'],
  ['of a disabled client', { disabledAt: new Date() }, 'grant_type=client_credentials'],
  ['of a public client', { confidential: false }, 'grant_type=client_credentials'],
  ['of a client that demands DPoP', { dpopBoundAccessTokens: true }, 'grant_type=client_credentials'],
  ['of a client that demands keys', { requireKeyAuthentication: true, jwks: keySetOf(createClientKey()) }, 'grant_type=client_credentials'],
])('a request %s receives the response of oidc-provider', async (_, options, body, headers) => {
  const { direct, provider } = await sendTwice(await createMachine(options), body, headers)
  expect(direct).toEqual(provider)
})

test('a wrong secret receives the response of oidc-provider', async () => {
  const client = await createMachine()
  for (const secret of ['wrong', `${client.secret}x`]) {
    const { direct, provider } = await sendTwice({ ...client, secret }, 'grant_type=client_credentials')
    expect([direct.status, direct]).toEqual([401, provider])
  }
})

test('an error of the direct response is logged, and the request receives the response of oidc-provider', async () => {
  const client = await createMachine()
  // The first token cannot be stored. A sequence keeps its value when the transaction is rolled back.
  await database.pool.query(`CREATE SEQUENCE stored_tokens;
    CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF nextval('stored_tokens') = 1 THEN RAISE 'the token cannot be stored'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER fail_once BEFORE INSERT ON oidc_models FOR EACH ROW EXECUTE FUNCTION fail_once()`)
  const { status, body } = await requestMachineToken(service, client)
  await database.pool.query('DROP FUNCTION fail_once CASCADE; DROP SEQUENCE stored_tokens')
  expect([status, Object.keys(body)]).toEqual([200, ['access_token', 'expires_in', 'scope', 'token_type', 'team']])
  expect(service.logged.splice(0)).toEqual([
    expect.objectContaining({ msg: 'unexpected error', err: expect.objectContaining({ message: 'the token cannot be stored' }) }),
  ])
})

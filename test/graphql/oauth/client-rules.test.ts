import { describe, expect, test } from 'vitest'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Valid and invalid client registrations.

const service = useService()
const create = 'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { redirectUris grantTypes } } }'
const device = 'urn:ietf:params:oauth:grant-type:device_code'
const base = {
  name: 'App',
  confidential: true,
  redirectUris: ['https://app.example/cb'],
  grantTypes: ['authorization_code'],
  requiredScopes: ['openid'],
}
const register = (input: object) => executeAs(service, operator, create, { input: { ...base, ...input } })

describe('a redirect URI', () => {
  test.each([
    ['https://app.example/cb'],
    ['https://app.example'],
    ['https://app.example/'],
    ['https://app.example:8443/cb?tenant=a%20b&x=%C3%A9'],
    ['https://app.example?from=login'],
    ['https://xn--bcher-kva.example/cb'],
    ["https://app.example/a'b(c)~d;e,f=g@h:i"],
    ['http://127.0.0.1/cb'],
    ['http://127.0.0.1:4711/cb'],
    ['http://[::1]/cb'],
    ['http://[::1]:4711/cb'],
  ])('%s is stored unchanged', async (uri) => {
    const { data, refusal } = await register({ redirectUris: [uri, uri] })
    expect([refusal, data?.createClient.client.redirectUris]).toEqual([null, [uri]])
  })

  test.each([
    ['com.example.app:/cb', 'a private-use scheme'],
    ['com.example.app:/', 'a private-use scheme'],
    ['com.example.app://cb?x=1', 'a private-use scheme'],
    ['com.example.app:///cb', 'a private-use scheme'],
    ['http://localhost', 'localhost'],
    ['http://localhost:4711/cb', 'localhost'],
    ['http://localhost/cb?x=1', 'localhost'],
  ])('only public clients can use %s, because it has %s', async (uri, what) => {
    expect((await register({ confidential: false, redirectUris: [uri], postLogoutRedirectUris: [uri] })).refusal).toBeNull()
    const messages = (name: string) => [`The ${name} field must not have ${what}, which is for public clients.`]
    expect((await register({ redirectUris: [uri], postLogoutRedirectUris: [uri] })).refusal?.details.errors).toEqual({
      redirectUris: messages('redirect uris'),
      postLogoutRedirectUris: messages('post logout redirect uris'),
    })
  })

  const ascii = 'be an absolute URI of ASCII characters, without spaces'
  const allowedKinds = 'be https, or http to 127.0.0.1, [::1] or localhost, or of a private-use scheme such as com.example.app:/cb'
  const normalForm = 'be as browsers write it: scheme and host in lower case, no default port, no dot segments'
  test.each([
    ['', ascii],
    ['https://app.example/a b', ascii],
    ['https://app.example/cb\n', ascii],
    ['https://app.example/\u0007', ascii],
    ['https://bücher.example/cb', ascii],
    ['https://app.example/%zz', ascii],
    ['https://app.example\\@evil.example/', ascii],
    ['https://app.example/{id}', ascii],
    ['https://app.example/\0', undefined],
    ['/cb', 'be an absolute URI'],
    ['app.example/cb', 'be an absolute URI'],
    ['https://', 'be an absolute URI'],
    ['https://app.example:99999/cb', 'be an absolute URI'],
    ['https://app.example/cb#', 'not have a fragment'],
    ['https://app.example/cb#top', 'not have a fragment'],
    ['https://*.app.example/cb', 'not have a wildcard, since it is matched exactly'],
    ['https://app.example/*', 'not have a wildcard, since it is matched exactly'],
    ['https://user@app.example/cb', 'not have user information'],
    ['https://user:secret@app.example/cb', 'not have user information'],
    ['https://@app.example/cb', 'not have user information'],
    ['com.example.app://user@host/cb', 'not have user information'],
    ['http://app.example/cb', allowedKinds],
    ['http://localhost.evil.example:3000/cb', allowedKinds],
    ['http://localhost:80/cb', normalForm],
    ['http://127.0.0.2/cb', allowedKinds],
    ['http://127.0.0.1.evil.example/cb', allowedKinds],
    ['https://localhost/cb', allowedKinds],
    ['https://127.0.0.1/cb', allowedKinds],
    ['myapp:/cb', allowedKinds],
    ['javascript:alert(1)', allowedKinds],
    ['data:text/html,x', allowedKinds],
    ['urn:ietf:wg:oauth:2.0:oob', allowedKinds],
    ['HTTPS://app.example/cb', normalForm],
    ['https://App.Example/cb', normalForm],
    ['https://app.example:443/cb', normalForm],
    ['http://127.0.0.1:80/cb', normalForm],
    ['http://127.1/cb', normalForm],
    ['http://2130706433/cb', normalForm],
    ['http://[0:0:0:0:0:0:0:1]/cb', normalForm],
    ['https://app.example/a/../cb', normalForm],
    ['https://app.example/a/%2e%2e/cb', normalForm],
    ['https://app.example/./cb', normalForm],
    ['https:app.example/cb', normalForm],
    ['https:///app.example/cb', normalForm],
    ['com.example.app:cb', normalForm],
    ['com.Example.app:/cb', normalForm],
  ])('%j is rejected because it must %s', async (uri, rule) => {
    const { refusal } = await register({ confidential: false, redirectUris: ['https://app.example/cb', uri] })
    const message = rule === undefined ? expect.stringContaining('cannot be stored') : `The redirect uris.1 field must ${rule}.`
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { 'redirectUris.1': [message] }])
  })
})

describe('a client registration', () => {
  test.each([
    [{ grantTypes: ['authorization_code', 'refresh_token'], requiredScopes: ['openid', 'offline_access'], refreshReplaySeconds: 120 }],
    [{ grantTypes: [device], redirectUris: [], confidential: false }],
    [{ grantTypes: [device, 'authorization_code', device], optionalScopes: ['teams', 'teams', 'flow:rules:read'], team: 'REQUIRED' }],
    [{ logoUri: 'https://app.example/logo.svg', postLogoutRedirectUris: ['https://app.example/bye'], idTokenSignedResponseAlg: 'RS256' }],
    [{ backchannelLogoutUri: 'http://127.0.0.1:3000/logout', description: 'x'.repeat(1000) }],
    [{ clientId: 'A-Za-z0-9._~-', description: null, logoUri: null, team: null, refreshReplaySeconds: null, optionalScopes: null }],
  ])('with %j is accepted', async (input) => expect((await register(input)).refusal).toBeNull())

  const optionalScopeErrors = (message: string) => [`The optional scopes field must not have ${message}.`]
  test.each([
    [{ name: ' ' }, { name: ['The name field is required.'] }],
    [{ clientId: 'a b' }, { clientId: ['The client id field must be letters, digits and the characters . _ ~ -'] }],
    [{ clientId: '' }, { clientId: expect.arrayContaining(['The client id field is required.']) }],
    [{ clientId: 'x'.repeat(129) }, { clientId: ['The client id field must not be greater than 128 characters.'] }],
    [{ description: 'x'.repeat(1001) }, { description: ['The description field must not be greater than 1000 characters.'] }],
    [{ redirectUris: [] }, { redirectUris: ['The redirect uris field is required.'] }],
    [{ grantTypes: [] }, { grantTypes: ['The grant types field must have a grant that issues a first token, not refresh_token alone.'] }],
    [
      { grantTypes: ['client_credentials'] },
      { grantTypes: ['The grant types field must not have client_credentials, which is for confidential clients that belong to a team.'] },
    ],
    [{ grantTypes: ['password'] }, { 'grantTypes.0': ['The selected grant types.0 is invalid.'] }],
    [{ grantTypes: ['implicit', 'authorization_code'] }, { 'grantTypes.0': ['The selected grant types.0 is invalid.'] }],
    [
      { grantTypes: ['refresh_token'] },
      { grantTypes: ['The grant types field must have a grant that issues a first token, not refresh_token alone.'] },
    ],
    [{ requiredScopes: [] }, { requiredScopes: ['The required scopes field is required where no scope is optional.'] }],
    [{ requiredScopes: ['everything'] }, { 'requiredScopes.0': ['The selected required scopes.0 is invalid.'] }],
    [{ optionalScopes: ['teams', 'OPENID'] }, { 'optionalScopes.1': ['The selected optional scopes.1 is invalid.'] }],
    [{ optionalScopes: ['openid'] }, { optionalScopes: optionalScopeErrors('openid, which is required already') }],
    [
      { requiredScopes: ['teams'], optionalScopes: ['openid'] },
      { optionalScopes: optionalScopeErrors('openid, which cannot be declined') },
    ],
    [{ optionalScopes: ['offline_access'] }, { optionalScopes: optionalScopeErrors('offline_access without the grant refresh_token') }],
    [
      { requiredScopes: ['offline_access'] },
      { requiredScopes: ['The required scopes field must not have offline_access without the grant refresh_token.'] },
    ],
    [{ refreshReplaySeconds: 121 }, { refreshReplaySeconds: ['The refresh replay seconds field must not be greater than 120.'] }],
    [{ refreshReplaySeconds: -1 }, { refreshReplaySeconds: ['The refresh replay seconds field must be at least 0.'] }],
    [{ clientUri: 'http://app.example' }, { clientUri: ['The client uri field must be https.'] }],
    [{ policyUri: 'javascript:alert(1)' }, { policyUri: ['The policy uri field must be https.'] }],
    [{ tosUri: 'data:text/html,x' }, { tosUri: ['The tos uri field must be https.'] }],
    [{ clientUri: 'https://user@app.example/' }, { clientUri: ['The client uri field must not have user information.'] }],
    [{ publisher: '' }, { publisher: ['The publisher field is required.'] }],
    [{ logoUri: 'http://127.0.0.1/logo.png' }, { logoUri: ['The logo uri field must be https.'] }],
    [{ logoUri: 'data:image/png;base64,AA==' }, { logoUri: ['The logo uri field must be https.'] }],
    [
      { postLogoutRedirectUris: ['http://app.example/bye'] },
      { 'postLogoutRedirectUris.0': [expect.stringContaining('The post logout redirect uris.0 field must be https')] },
    ],
    [
      { confidential: false, backchannelLogoutUri: 'com.example.app:/logout' },
      { backchannelLogoutUri: ['The backchannel logout uri field must be https, or http to 127.0.0.1 or [::1].'] },
    ],
    [{ idTokenSignedResponseAlg: 'none' }, { idTokenSignedResponseAlg: ['The selected id token signed response alg is invalid.'] }],
    [{ idTokenSignedResponseAlg: 'HS256' }, { idTokenSignedResponseAlg: ['The selected id token signed response alg is invalid.'] }],
  ])('with %j is rejected', async (input, errors) => {
    const { refusal } = await register(input)
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
  })
})

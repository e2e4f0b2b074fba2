import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { ProtocolRequest } from '../../../schema/identity-providers/protocol.ts'
import { createKey, json } from '../../support/identities/ci-issuer.ts'
import { metadataOf, useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { signInWithOidc } from '../../support/identity-providers/sign-in-with-oidc.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const providers = useProviders(service.clock.now)
const signIn = (provider: TestProvider, ...more: [Partial<ProtocolRequest>?, (string | null)?]) =>
  signInWithOidc(service, provider, ...more)
const seconds = () => Math.floor(service.clock.now().getTime() / 1000)

describe('an OpenID provider', () => {
  test('states the subject, the address and the groups of a person', async () => {
    const provider = await providers.create()
    provider.claims = { sub: 'ada', email: 'Ada@Acme.example', email_verified: true, name: 'Ada', groups: ['staff', 7, 'board'] }
    expect(await signIn(provider, {}, 'groups')).toMatchObject({
      subject: 'ada',
      email: 'ada@acme.example',
      isEmailVerified: true,
      name: 'Ada',
      groups: ['staff', 'board'],
    })
    expect(Object.fromEntries(provider.requested)).toMatchObject({ scope: 'openid email profile', code_challenge_method: 'S256' })
    expect(provider.requests).not.toContain('/userinfo')
  })

  test('is asked at UserInfo if its ID token has no address', async () => {
    const provider = await providers.create()
    provider.claims = { sub: 'ada' }
    provider.userInfo = { sub: 'ada', email: 'ada@acme.example' }
    expect(await signIn(provider)).toMatchObject({ email: 'ada@acme.example', groups: null })
    provider.userInfo = { sub: 'eve', email: 'ada@acme.example' }
    expect(await signIn(provider)).toContain('"sub"')
  })

  test.each([
    ['without a challenge', {}],
    ['with a challenge', { 'www-authenticate': 'Bearer error="insufficient_scope", scope="email"' }],
  ])('states no address if UserInfo refuses access, %s', async (_, headers) => {
    const provider = await providers.create()
    provider.claims = { sub: 'ada' }
    provider.userInfoStatus = [403, headers]
    expect(await signIn(provider)).toMatchObject({ subject: 'ada', email: null })
    // A fault that may pass: the account would stay without an address for good.
    provider.userInfoStatus = [503, {}]
    expect(await signIn(provider)).toBe('The identity provider responded with the status 503.')
    provider.userInfoStatus = [401, headers]
    expect(await signIn(provider)).toBeTypeOf('string')
  })

  test('omits what is null', async () => {
    const provider = await providers.create()
    const optional = { userinfo_endpoint: null, token_endpoint_auth_methods_supported: null, code_challenge_methods_supported: null }
    provider.metadata = json({ ...metadataOf(provider.issuer), ...optional, userinfo_endpoint: `${provider.issuer}/userinfo` })
    provider.tokenMembers = { refresh_token: null, expires_in: null, scope: null }
    provider.claims = { sub: 'ada', email: null, azp: null, name: null, email_verified: null, groups: null }
    provider.userInfo = { sub: 'ada', email: 'ada@acme.example', name: 'Ada' }
    expect(await signIn(provider, {}, 'groups')).toMatchObject({ email: 'ada@acme.example', name: 'Ada', groups: null })
    provider.metadata = json({ ...metadataOf(provider.issuer), ...optional })
    service.clock.advance(11 * 60_000)
    expect(await signIn(provider)).toMatchObject({ email: null, name: null })
  })

  const refused: [name: string, change: (provider: TestProvider) => unknown, message: string][] = [
    [
      'another issuer',
      (p) => (p.idToken = (c) => p.sign({ ...c, iss: 'https://evil.example' })),
      'The claim iss of the ID token is https://evil.example instead of',
    ],
    [
      'another audience',
      (p) => (p.idToken = (c) => p.sign({ ...c, aud: 'other' })),
      'The claim aud of the ID token is other instead of client-at-provider.',
    ],
    [
      'several audiences and another azp',
      (p) => (p.idToken = (c) => p.sign({ ...c, aud: ['client-at-provider', 'x'], azp: 'x' })),
      'The claim azp',
    ],
    [
      'a single audience and the azp of another client',
      (p) => (p.idToken = (c) => p.sign({ ...c, azp: 'evil' })),
      'The claim azp of the ID token is evil instead of client-at-provider.',
    ],
    ['an azp that is no text', (p) => (p.idToken = (c) => p.sign({ ...c, azp: ['client-at-provider'] })), 'azp'],
    ['b64 in the header', (p) => (p.idToken = (c) => p.sign(c, { b64: true })), 'the header parameter b64'],
    ['b64 and crit in the header', (p) => (p.idToken = (c) => p.sign(c, { b64: true, crit: ['b64'] })), 'crit'],
    ['another nonce', (p) => (p.idToken = (c) => p.sign({ ...c, nonce: 'other' })), 'The claim nonce of the ID token is other instead of'],
    ['no nonce', (p) => (p.idToken = (c) => p.sign({ ...c, nonce: undefined })), 'nonce'],
    ['an expired ID token', (p) => (p.idToken = (c) => p.sign({ ...c, exp: seconds() - 60 })), 'The claim exp of the ID token'],
    ['an ID token of the future', (p) => (p.idToken = (c) => p.sign({ ...c, nbf: seconds() + 600 })), 'The claim nbf of the ID token'],
    ['no subject', (p) => (p.idToken = (c) => p.sign({ ...c, sub: undefined })), 'sub'],
    ['a subject with a NUL', (p) => (p.claims = { sub: 'a\0b' }), 'The claim sub is missing or not valid.'],
    [
      'a signature of another key',
      async (p) => {
        const key = await createKey()
        p.idToken = (c) => p.sign(c, {}, key)
      },
      'The signature of the ID token is not valid.',
    ],
    [
      'an unknown key',
      async (p) => {
        const key = await createKey('RS256', 'key-9')
        p.idToken = (c) => p.sign(c, {}, key)
      },
      'The key set of the identity provider has no key with the kid of the ID token.',
    ],
    [
      'an ID token signed with the client secret',
      (p) => (p.idToken = (c) => new SignJWT(c).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(p.clientSecret.padEnd(32)))),
      '"alg"',
    ],
    [
      'an ID token without a signature',
      (p) =>
        (p.idToken = async (c) =>
          `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(c)).toString('base64url')}.`),
      'not valid',
    ],
    ['did not send an ID token', (p) => (p.token = json({ access_token: 'a', token_type: 'Bearer' })), '"id_token"'],
    [
      'an error of the token endpoint',
      (p) => (p.token = json({ error: 'invalid_client', error_description: 'Unknown secret' }, 401)),
      'The identity provider responded with invalid_client: Unknown secret',
    ],
    ['a fault of the token endpoint', (p) => (p.token = json({}, 500)), 'The identity provider responded with the status 500.'],
    [
      'HTML at the token endpoint',
      (p) => (p.token = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')),
      'The response of the identity provider is not valid',
    ],
    [
      'an error at the authorization endpoint',
      (p) => (p.response = ({ state = '' }) => ({ state, error: 'access_denied', error_description: 'No <b>access</b>' })),
      'The identity provider responded with access_denied: No <b>access</b>',
    ],
    ['another state', (p) => (p.response = ({ code = '' }) => ({ code, state: 'other' })), '"state"'],
    ['the iss of another provider', (p) => (p.response = (all) => ({ ...all, iss: 'https://evil.example' })), '"iss"'],
    [
      'no iss, although it says that it sends one',
      (p) => (p.metadata = json({ ...metadataOf(p.issuer), authorization_response_iss_parameter_supported: true })),
      '"iss"',
    ],
    [
      'keys that cannot be read',
      (p) => (p.keys = json({}, 503)),
      'The key set of the identity provider cannot be read. The response has the status 503.',
    ],
  ]
  test.each(refused)('is refused with %s', async (_, change, message) => {
    const provider = await providers.create()
    await change(provider)
    expect(await signIn(provider)).toContain(message)
  })

  test('is refused with the metadata of another issuer', async () => {
    const provider = await providers.create()
    provider.metadata = json(metadataOf('https://evil.example'))
    await expect(signIn(provider)).rejects.toThrow('The metadata of the identity provider is that of another issuer')
  })

  test('may replace its keys', async () => {
    const provider = await providers.create()
    expect(await signIn(provider)).toMatchObject({ subject: 'subject-1' })
    provider.key = await createKey('RS256', 'key-2')
    service.clock.advance(61_000)
    expect(await signIn(provider)).toMatchObject({ subject: 'subject-1' })
  })

  test('must say when the person signed in there if that is demanded', async () => {
    const provider = await providers.create()
    expect(await signIn(provider, { forceAuthentication: true })).toMatchObject({ subject: 'subject-1' })
    expect(Object.fromEntries(provider.requested)).toMatchObject({ prompt: 'login', max_age: '0' })
    provider.claims = { sub: 'subject-1', auth_time: seconds() - 600 }
    expect(await signIn(provider, { forceAuthentication: true })).toContain('auth_time')
    provider.idToken = (claims) => provider.sign({ ...claims, auth_time: undefined })
    expect(await signIn(provider, { forceAuthentication: true })).toContain('auth_time')
  })
})

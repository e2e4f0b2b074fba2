import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { hasAuthOpenidc, startApache } from '../../support/deploy/apache.ts'
import { consentChoices, createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// mod_auth_openidc of Debian, a relying party in the Apache HTTP server: https://github.com/OpenIDC/mod_auth_openidc

const service = useService()
const { database } = service
if (!hasAuthOpenidc) console.log('libapache2-mod-auth-openidc is not installed: it is not tested as a relying party')

describe.runIf(hasAuthOpenidc)('a site behind mod_auth_openidc', () => {
  test.each(['client_secret_basic', 'private_key_jwt'])('signs users in and out and calls the API for them, by %s', async (method) => {
    const user = await createPerson(database)
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const keys = mkdtempSync(path.join(tmpdir(), 'team-account-keys-'))
    onTestFinished(() => rmSync(keys, { recursive: true }))
    const write = (name: string, key: string | Buffer) => writeFileSync(path.join(keys, name), key)
    write('public.pem', publicKey.export({ type: 'spki', format: 'pem' }))
    write('private.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const byKey = method === 'private_key_jwt'
    const client = await createClient(database, {
      ...(byKey && {
        requireKeyAuthentication: true,
        jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'site', alg: 'RS256' }] },
      }),
      redirectUris: ['http://127.0.0.1/callback'],
      postLogoutRedirectUris: ['http://127.0.0.1/goodbye'],
    })
    const site = await startApache((origin) => [
      `OIDCProviderMetadataURL ${service.url}/.well-known/openid-configuration`,
      `OIDCClientID ${client.clientId}`,
      ...(byKey
        ? [`OIDCPublicKeyFiles site#${keys}/public.pem`, `OIDCPrivateKeyFiles site#${keys}/private.pem`]
        : [`OIDCClientSecret ${client.secret}`]),
      `OIDCProviderTokenEndpointAuth ${method}`,
      'OIDCScope "openid profile offline_access teams"',
      'OIDCPKCEMethod S256',
      `OIDCRedirectURI ${origin}/callback`,
      '<Location />',
      '  AuthType openid-connect',
      '  Require valid-user',
      // Otherwise it sends 401 to a script, which it recognizes by a header field that fetch always sends.
      '  OIDCUnAuthAction auth true',
      '  Header set X-Subject "expr=%{env:OIDC_CLAIM_sub}"',
      '  Header set X-Name "expr=%{env:OIDC_CLAIM_name}"',
      '  Header set X-Access-Token "expr=%{env:OIDC_access_token}"',
      '</Location>',
    ])

    const visitor = new Browser(site)
    const toAuthorization = await visitor.open('/page')
    expect(toAuthorization.url.href).toContain(`${service.url}/login/oauth/authorize?`)
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(toAuthorization.url), user)
    const callback = await browser.press(consent, 'Allow access', consentChoices(consent))
    expect(callback.url.href).toContain(`${site}/callback?`)
    const page = await visitor.open(callback.url)
    expect([page.status, page.text]).toEqual([200, 'a protected page'])
    expect([page.headers.get('x-subject'), page.headers.get('x-name')]).toEqual([user.id, user.name])
    const account = await fetch(new URL('/api/v1/user', service.url), {
      headers: { authorization: `Bearer ${page.headers.get('x-access-token')}` },
    })
    expect(await account.json()).toMatchObject({ id: user.id, client_id: client.clientId })

    const signOut = await visitor.open(`/callback?logout=${encodeURIComponent(`${site}/goodbye`)}`)
    expect(signOut.url.href).toContain(`${service.url}/login/oauth/logout?`)
    const signedOut = await browser.press(await browser.open(signOut.url), 'Sign out')
    expect(signedOut.url.href).toContain(`${site}/goodbye`)
    expect((await visitor.open('/page')).url.href).toContain(`${service.url}/login/oauth/authorize?`)
  })
})

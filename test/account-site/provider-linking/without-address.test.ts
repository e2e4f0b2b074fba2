import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { alertOf, contentOf } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useSituations } from '../../support/identity-providers/situation.ts'
import { signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createClient } from '../../support/oauth/oauth.ts'

// docs/decisions/identity-providers.md#identity-and-linking: an account that was created without an address.

const { service, prepare } = useSituations()
const { database } = service

async function signInWithoutAddress() {
  const situation = await prepare('team', 'nobody', 'none')
  const browser = new Browser(service.url)
  const page = await signInAtProvider(browser, situation.key, { return_to: '/account' })
  const { userId } = await database.prisma.externalIdentity.findFirstOrThrow({ where: { subject: situation.subject } })
  return { ...situation, browser, page, userId, placeholder: `${userId}@no-address.invalid` }
}

describe('an account without an email address', () => {
  test('is shown as such on every page, which lead to adding one', async () => {
    const { browser, page, team, userId, placeholder } = await signInWithoutAddress()
    expect(contentOf(page)).toContain('No email address Add an email address')
    const paths = ['/account', '/account/email', '/account/notifications', '/account/delete', '/account/teams', '/teams/new', '/security']
    const inTeam = ['', '/members', `/members/${userId}`]
    for (const path of [...paths, ...inTeam.map((each) => `/teams/${team.slug}${each}`)]) {
      const { status, root } = await browser.open(path)
      expect([path, status, root.text.includes(placeholder)]).toEqual([path, 200, false])
      expect([path, root.querySelector('#account')?.text.includes('No email address') ?? root.text.includes('No email address')]).toEqual([
        path,
        true,
      ])
    }
  })

  test('gets a verified address by the link in a mail to it', async () => {
    const { browser, userId, email, placeholder } = await signInWithoutAddress()
    const send = async (value: string) => browser.press(await browser.open('/account/email'), 'Send confirmation link', { email: value })
    expect(alertOf(await send(placeholder))[1]).toContain('email address that can receive mail')
    expect((await send(email)).text).toContain(`We sent an email to ${email}`)
    expect(await database.prisma.mailLink.findMany({ where: { userId } })).toMatchObject([{ email, kind: 'change_email' }])
  })

  test('gets ID tokens without `amr`, `email` and `email_verified`', async () => {
    const { browser, userId } = await signInWithoutAddress()
    const client = await createClient(database)
    const configuration = await oidc.discovery(
      new URL(service.url),
      client.clientId,
      undefined,
      oidc.ClientSecretBasic(client.secret ?? ''),
      {
        execute: [oidc.allowInsecureRequests],
      },
    )
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: 'https://app.example/callback',
      scope: 'openid profile email',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const callback = await browser.press(await browser.open(url), 'Allow access')
    const tokens = await oidc.authorizationCodeGrant(configuration, callback.url, { pkceCodeVerifier })
    const claims = tokens.claims()
    expect(claims?.sub).toBe(userId)
    expect(Object.keys(claims ?? {}).filter((name) => ['amr', 'email', 'email_verified'].includes(name))).toEqual([])
    expect(await oidc.fetchUserInfo(configuration, tokens.access_token, userId)).not.toHaveProperty('email')
  })
})

test.each([
  ['/forgotten-password', 'Send reset link', {}],
  ['/sign-up', 'Create account', { name: 'Ada', password: 'correct horse battery staple' }],
])('%s refuses an address in .invalid', async (path, button, fields) => {
  const browser = new Browser(service.url)
  const page = await browser.press(await browser.open(path), button, { email: 'ada@no-address.invalid', ...fields })
  expect(page.text).toContain('email address that can receive mail')
})

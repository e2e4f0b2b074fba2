import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { enter, heading, noticeOf, valuesOf } from '../../support/account-site/page-content.ts'
import { listenForLogout } from '../../support/oauth/backchannel.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { lastLink } from '../../support/mail/links.ts'
import { authorize, createClient, createPerson } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService({ secretKey })
const { database, logged } = service
const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))

/** A user who is signed in at a client with back-channel logout in one browser, and who uses a second browser. */
async function signInAtClient() {
  const { address, logoutTokens } = await listenForLogout()
  const user = await createPerson(database)
  const client = await createClient(database, { backchannelLogoutUri: address })
  const { browser: clientBrowser } = await authorize(service, client, user)
  const browser = new Browser(service.url)
  const open = (path: string) => enter(browser, user, path)
  return { user, client, logoutTokens, clientBrowser, browser, open }
}

/** Verifies the only logout token that the client received and returns its claims. */
async function claimsOf(logoutTokens: readonly string[], { clientId }: TestClient) {
  const token = await waitFor(() => logoutTokens[0])
  const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: service.url, audience: clientId })
  expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' })
  expect(logoutTokens).toHaveLength(1)
  return payload
}
/** Expected claims of a logout token (OpenID Connect Back-Channel Logout §2.4). */
const logoutClaims = ({ id }: { id: string }) => ({
  sub: id,
  sid: expect.any(String),
  jti: expect.any(String),
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
})

type Context = Awaited<ReturnType<typeof signInAtClient>>
const newPassword = 'a long and new password'
const actions: [string, (context: Context) => Promise<Page>, string][] = [
  [
    'a browser is signed out',
    async ({ browser, open }) => {
      const page = await open('/security/sessions')
      return browser.send(page, '/security/sessions', valuesOf(page, 0, '#sessions'))
    },
    'The browser “Unknown device” was signed out.',
  ],
  [
    'all other browsers are signed out',
    async ({ browser, open }) => browser.press(await open('/security/sessions'), 'Sign out all other browsers'),
    'All other browsers were signed out.',
  ],
  [
    'the password is changed',
    async ({ browser, open }) => browser.press(await open('/account/password'), 'Change password', { 'New password': newPassword }),
    'Your password was changed. All other browsers were signed out.',
  ],
  [
    'the password is reset by mail',
    async ({ browser, user }) => {
      await browser.press(await browser.open('/forgotten-password'), 'Send reset link', { 'Email address': user.email })
      const page = await browser.open(`/links/${await lastLink(service, user.id)}`)
      return browser.press(page, 'Change password', { 'New password': newPassword })
    },
    'Your password was changed. All other browsers were signed out.',
  ],
  [
    'the account is deleted',
    async ({ browser, user, open }) => browser.press(await open('/account/delete'), 'Delete account', { typedEmail: user.email }),
    expect.stringMatching(/^Your account is scheduled for deletion on .+\. Sign in before then to keep it\.$/),
  ],
]

test.each(actions)('when %s, the client of the ended session receives a logout token', async (_, endSession, notice) => {
  const context = await signInAtClient()
  expect(noticeOf(await endSession(context))).toEqual([200, notice])
  expect(await claimsOf(context.logoutTokens, context.client)).toMatchObject(logoutClaims(context.user))
  expect(heading(await context.clientBrowser.open('/account'))).toEqual([200, 'Sign in'])
})

test('a client of the session that changes the password receives no logout token', async () => {
  const { user, logoutTokens, clientBrowser } = await signInAtClient()
  const other = await listenForLogout()
  const ended = await createClient(database, { backchannelLogoutUri: other.address })
  await authorize(service, ended, user)
  await clientBrowser.press(await clientBrowser.open('/account/password'), 'Change password', { 'New password': newPassword })
  expect(await claimsOf(other.logoutTokens, ended)).toMatchObject(logoutClaims(user))
  expect(logoutTokens).toEqual([])
})

test.each([
  ['Sign out all other browsers', 'Sessions', false],
  ['Sign out', 'Sign in', true],
])('a client that does not respond to back-channel logout does not delay “%s” and is logged', async (button, landing, isClientBrowser) => {
  const { address, logoutTokens } = await listenForLogout({ statusOf: () => null })
  const user = await createPerson(database)
  const { browser: clientBrowser } = await authorize(service, await createClient(database, { backchannelLogoutUri: address }), user)
  const browser = isClientBrowser ? clientBrowser : new Browser(service.url)
  const page = isClientBrowser ? await browser.open('/security/sessions') : await enter(browser, user, '/security/sessions')
  logged.length = 0
  expect([heading(await browser.press(page, button)), logged]).toEqual([[200, landing], []])
  await waitFor(() => logoutTokens[0])
  await waitFor(() => logged[0])
  expect(logged.map(({ err }) => err?.message)).toEqual(['The operation was aborted due to timeout'])
})

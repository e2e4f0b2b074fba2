import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { enter, heading, noticeOf, valuesOf } from '../account-site/shown.ts'
import { listenForLogout } from '../support/backchannel.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { lastLink } from '../support/links.ts'
import { authorize, createClient, createPerson } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { startService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'

const service = await startService({ secretKey })
const { database, logged } = service
const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))

/** A person who went from one browser to a client that wants to know when that ends, and who sits at another. */
async function signedInAtClient() {
  const { address, told } = await listenForLogout()
  const person = await createPerson(database)
  const client = await createClient(database, { backchannelLogoutUri: address })
  const { browser: there } = await authorize(service, client, person)
  const here = new Browser(service.url)
  const open = (path: string) => enter(here, person, path)
  return { person, client, told, there, here, open }
}

/** What the one logout token says that the client is told. */
async function tokenOf(told: readonly string[], { clientId }: TestClient) {
  const token = await waitFor(() => told[0])
  const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: service.url, audience: clientId })
  expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' })
  expect(told).toHaveLength(1)
  return payload
}
const logoutOf = ({ id }: { id: string }) => ({
  sub: id,
  sid: expect.any(String),
  jti: expect.any(String),
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
})

type Around = Awaited<ReturnType<typeof signedInAtClient>>
const newPassword = 'a long and new password'
const doors: [string, (around: Around) => Promise<Page>, string][] = [
  [
    'a browser is signed out',
    async ({ here, open }) => {
      const page = await open('/security')
      return here.send(page, '/security', valuesOf(page, 0, '#sessions'))
    },
    'The browser was signed out.',
  ],
  [
    'all other browsers are signed out',
    async ({ here, open }) => here.press(await open('/security'), 'Sign out all others'),
    'All other browsers were signed out.',
  ],
  [
    'the password is changed',
    async ({ here, open }) => here.press(await open('/account/password'), 'Change the password', { 'New password': newPassword }),
    'Your password was changed. All other browsers were signed out.',
  ],
  [
    'a forgotten password is replaced',
    async ({ here, person }) => {
      await here.press(await here.open('/forgotten-password'), 'Send the mail', { 'Email address': person.email })
      const page = await here.open(`/links/${await lastLink(service, person.id)}`)
      return here.press(page, 'Change the password', { 'New password': newPassword })
    },
    'Your password was changed. Sign in with the new one.',
  ],
  [
    'the account is deleted',
    async ({ here, open }) => here.press(await open('/account/delete'), 'Delete my account'),
    'Your account was deleted.',
  ],
]

test.each(doors)('when %s, the client that was signed in to there is told', async (_, end, notice) => {
  const around = await signedInAtClient()
  expect(noticeOf(await end(around))).toEqual([200, notice])
  expect(await tokenOf(around.told, around.client)).toMatchObject(logoutOf(around.person))
  expect(heading(await around.there.open('/account'))).toEqual([200, 'Sign in'])
})

test('the client of the browser that goes on is not told', async () => {
  const { person, told, there } = await signedInAtClient()
  const other = await listenForLogout()
  const ended = await createClient(database, { backchannelLogoutUri: other.address })
  await authorize(service, ended, person)
  await there.press(await there.open('/account/password'), 'Change the password', { 'New password': newPassword })
  expect(await tokenOf(other.told, ended)).toMatchObject(logoutOf(person))
  expect(told).toEqual([])
})

test.each([
  ['Sign out all others', 'Security', false],
  ['Sign out', 'Sign in', true],
])('a client that does not answer keeps nobody waiting who presses %s, and is reported', async (button, landing, isThere) => {
  const { address, told } = await listenForLogout({ answers: false })
  const person = await createPerson(database)
  const { browser: there } = await authorize(service, await createClient(database, { backchannelLogoutUri: address }), person)
  const browser = isThere ? there : new Browser(service.url)
  const page = isThere ? await browser.open('/security') : await enter(browser, person, '/security')
  logged.length = 0
  expect([heading(await browser.press(page, button)), logged]).toEqual([[200, landing], []])
  await waitFor(() => told[0])
  await waitFor(() => logged[0])
  expect(logged.map(({ err }) => err?.message)).toEqual(['The operation was aborted due to timeout'])
})

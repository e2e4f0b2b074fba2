import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { deviceGrantType } from '../../support/oauth/device.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'

const service = useService()
const { database } = service

let client: TestClient
beforeAll(async () => {
  client = await createClient(database, { team: 'optional', grantTypes: ['authorization_code', 'refresh_token', deviceGrantType] })
})

/** Creates a user with an ID token, and an authorization request with this token as a hint in a browser without a session. */
async function createHint() {
  const user = await createPerson(database)
  const { body } = await exchangeCode(service, client, await authorize(service, client, user))
  const id_token_hint: string = body.id_token
  const browser = new Browser(service.url)
  const { url, state } = authorizationUrl(service, client, { id_token_hint })
  return { user, id_token_hint, browser, url, state }
}

describe('an authorization request with an id_token_hint', () => {
  test('continues when the user of the ID token signs in', async () => {
    const { user, browser, url } = await createHint()
    const page = await signIn(browser, await browser.open(url), user)
    expect(page.text).toContain(`Signed in as ${user.email}`)
  })

  test('returns login_required when another user signs in', async () => {
    const { browser, url, state } = await createHint()
    const { searchParams } = (await signIn(browser, await browser.open(url), await createPerson(database))).url
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual(['login_required', state, null])
  })

  test('shows the sign-in page when another user is signed in', async () => {
    const { user, id_token_hint, browser } = await createHint()
    await authorize(service, client, await createPerson(database), { browser })
    const page = await browser.open(authorizationUrl(service, client, { id_token_hint }).url)
    expect((await signIn(browser, page, user)).text).toContain(`Signed in as ${user.email}`)
  })

  test('returns login_required when the user switches to another account', async () => {
    const { user, browser, url } = await createHint()
    const consent = await signIn(browser, await browser.open(url), user)
    const page = await browser.press(consent, 'Use another account')
    expect((await signIn(browser, page, await createPerson(database))).url.searchParams.get('error')).toBe('login_required')
  })
})

describe('a device authorization request with an id_token_hint', () => {
  test('returns login_required when another user signs in, and shows an error to this user', async () => {
    const { id_token_hint, browser } = await createHint()
    const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid', id_token_hint })
    const form = await browser.open(device.verification_uri_complete)
    const page = await signIn(browser, await browser.press(form, 'Continue'), await createPerson(database))
    expect([page.status, page.root.querySelector('[role=alert]')?.text]).toEqual([
      400,
      'Your device asks for another account. Get a new code on your device and sign in with that account.',
    ])
    const { body } = await post(service, '/api/oauth/token', client, { grant_type: deviceGrantType, device_code: device.device_code })
    expect(body.error).toBe('login_required')
  })
})

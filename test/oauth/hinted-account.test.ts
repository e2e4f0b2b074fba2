import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const client = await createClient(database, { team: 'optional', grantTypes: ['authorization_code', 'refresh_token', deviceGrant] })

/** An account that the client has an ID token of, in a browser where nobody is signed in. */
async function hinted() {
  const person = await createPerson(database)
  const { body } = await exchangeCode(service, client, await authorize(service, client, person))
  const id_token_hint: string = body.id_token
  const browser = new Browser(service.url)
  const { url, state } = authorizationUrl(service, client, { id_token_hint })
  return { person, id_token_hint, browser, url, state }
}

describe('an authorization request with the ID token of an account', () => {
  test('goes on with that account', async () => {
    const { person, browser, url } = await hinted()
    const page = await signIn(browser, await browser.open(url), person)
    expect(page.text).toContain(`Signed in as ${person.email}`)
  })

  test('is login_required when another one signs in', async () => {
    const { browser, url, state } = await hinted()
    const { searchParams } = (await signIn(browser, await browser.open(url), await createPerson(database))).url
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual(['login_required', state, null])
  })

  test('asks whoever else is signed in already for that account', async () => {
    const { person, id_token_hint, browser } = await hinted()
    await authorize(service, client, await createPerson(database), { browser })
    const page = await browser.open(authorizationUrl(service, client, { id_token_hint }).url)
    expect((await signIn(browser, page, person)).text).toContain(`Signed in as ${person.email}`)
  })

  test('is login_required when the person changes over to another one', async () => {
    const { person, browser, url } = await hinted()
    const consent = await signIn(browser, await browser.open(url), person)
    const page = await browser.press(consent, 'Use another account')
    expect((await signIn(browser, page, await createPerson(database))).url.searchParams.get('error')).toBe('login_required')
  })
})

describe('a device with the ID token of an account', () => {
  test('is told login_required when another one signs in, and so is the person', async () => {
    const { id_token_hint, browser } = await hinted()
    const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid', id_token_hint })
    const confirmation = await browser.press(await browser.open(device.verification_uri_complete), 'Continue')
    const page = await signIn(browser, await browser.press(confirmation, 'Continue'), await createPerson(database))
    expect([page.status, page.root.querySelector('[role=alert]')?.text]).toEqual([
      400,
      'Your device asks for another account. Let it show a new code, and sign in with that account.',
    ])
    const { body } = await post(service, '/api/oauth/token', client, { grant_type: deviceGrant, device_code: device.device_code })
    expect(body.error).toBe('login_required')
  })
})

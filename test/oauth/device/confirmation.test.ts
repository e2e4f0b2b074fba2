import { describe, expect, test } from 'vitest'
import { contentOf, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { formOf } from '../../support/oauth/authorization.ts'
import { grantsOf } from '../../support/oauth/consent-page.ts'
import { createDeviceClient, openDeviceConsent, pollDeviceCode, requestDeviceCode } from '../../support/oauth/device.ts'
import { createPerson, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The user confirms the code of the device together with the consent (RFC 8628 §3.3.1 and §5.4): docs/decisions/oauth.md#device-flow.

const service = useService()
const { database } = service

const allowTv = [200, 'Allow TV to access your account?']
const connected = [200, 'Device connected']
const confirmation = 'Allow access only if you have the device and it shows this code:'
const pending = { error: 'authorization_pending', error_description: expect.stringMatching(/still pending/) }

async function prepare() {
  const client = await createDeviceClient(database)
  const user = await createPerson(database)
  const { body: device } = await requestDeviceCode(service, client)
  return { client, user, device, poll: async () => (await pollDeviceCode(service, client, device.device_code)).body }
}

describe('the consent page for a device', () => {
  test('shows the code with the app and its scopes, and connects the device only after Allow access', async () => {
    const { user, device, poll } = await prepare()
    const { browser, consent } = await openDeviceConsent(service, user, device.user_code.toLowerCase().replace('-', ''))
    expect(heading(consent)).toEqual(allowTv)
    expect(contentOf(consent)).toContain(`${confirmation} ${device.user_code}`)
    expect(contentOf(consent)).toContain('See your teams and their names')
    expect([await poll(), await grantsOf(database, user.id)]).toEqual([pending, []])
    expect(heading(await browser.press(consent, 'Allow access'))).toEqual(connected)
    travel(5000)
    expect(await poll()).toMatchObject({ scope: 'teams openid offline_access' })
  })

  test('is shown for every code, also if the app was allowed everything before', async () => {
    const { client, user, device } = await prepare()
    const { browser, consent } = await openDeviceConsent(service, user, device.user_code)
    await browser.press(consent, 'Allow access')
    const { body: second } = await requestDeviceCode(service, client)
    const again = await browser.press(await browser.open(second.verification_uri_complete), 'Continue')
    expect([...heading(again), again.root.querySelector('p.code')?.text]).toEqual([...allowTv, second.user_code])
    expect((await pollDeviceCode(service, client, second.device_code)).body).toEqual(pending)
    expect(heading(await browser.press(again, 'Allow access'))).toEqual(connected)
  })

  test('still shows the code after the user has chosen another account', async () => {
    const { user, device } = await prepare()
    const { browser, consent } = await openDeviceConsent(service, user, device.user_code)
    const other = await signIn(browser, await browser.press(consent, 'Use another account'), await createPerson(database))
    expect([...heading(other), other.root.querySelector('p.code')?.text]).toEqual([...allowTv, device.user_code])
  })

  test('opens again when the code is entered again, and the first decision counts', async () => {
    const { user, device, poll } = await prepare()
    const { browser, consent } = await openDeviceConsent(service, user, device.user_code)
    const again = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
    expect(heading(again)).toEqual(allowTv)
    expect(heading(await browser.press(again, 'Deny'))).toEqual([200, 'Access denied'])
    const late = await browser.press(consent, 'Allow access')
    expect(late.root.querySelector('[role=alert]')?.text).toBe('This code was already used. Get a new code on your device.')
    expect([(await poll()).error, await grantsOf(database, user.id)]).toEqual(['access_denied', []])
  })

  test('gives the app no access after the code has expired or was used by another user', async () => {
    const used = await prepare()
    const [first, second] = [await createPerson(database), await createPerson(database)]
    const winner = await openDeviceConsent(service, first, used.device.user_code)
    const loser = await openDeviceConsent(service, second, used.device.user_code)
    await winner.browser.press(winner.consent, 'Allow access')
    const refused = await loser.browser.press(loser.consent, 'Allow access')
    expect(refused.root.querySelector('[role=alert]')?.text).toBe('This code was already used. Get a new code on your device.')
    const expired = await prepare()
    const { browser, consent } = await openDeviceConsent(service, expired.user, expired.device.user_code)
    travel(601_000)
    const stale = await browser.press(consent, 'Allow access')
    expect(stale.root.querySelector('[role=alert]')?.text).toBe('This code has expired. Get a new code on your device.')
    expect([await grantsOf(database, second.id), await grantsOf(database, expired.user.id)]).toEqual([[], []])
  })
})

describe('the code of a device', () => {
  test('is not confirmed by a link, by a form without a token, or by a form that says that it was confirmed', async () => {
    const { user, device, poll } = await prepare()
    const browser = new Browser(service.url)
    await signIn(browser, await browser.open('/sign-in'), user)
    const link = await browser.open(`${device.verification_uri_complete}&confirm=yes`)
    expect(heading(link)).toEqual([200, 'Connect a device'])
    const { action, values } = formOf(link, 'Continue')
    expect(values.get('confirm')).toBe('yes')
    values.delete('xsrf')
    expect((await browser.send(link, action, values)).status).toBe(400)
    expect(heading(await browser.press(link, 'Continue'))).toEqual(allowTv)
    expect([await poll(), await grantsOf(database, user.id)]).toEqual([pending, []])
  })

  test('is asked for again by a form that does not confirm it', async () => {
    const { device } = await prepare()
    const browser = new Browser(service.url)
    const form = await browser.open('/login/device')
    const { action, values } = formOf(form, 'Continue')
    values.delete('confirm')
    values.set('user_code', device.user_code)
    const again = await browser.send(form, action, values)
    expect([...heading(again), again.root.querySelector('input[name=user_code]')?.getAttribute('value')]).toEqual([
      200,
      'Connect a device',
      device.user_code,
    ])
    expect(heading(await browser.press(again, 'Continue'))).toEqual([200, 'Sign in'])
  })
})

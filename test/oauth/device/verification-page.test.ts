import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createDeviceClient, openDeviceConsent, pollDeviceCode, requestDeviceCode } from '../../support/oauth/device.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

const pending = { error: 'authorization_pending', error_description: expect.stringMatching(/still pending/) }
/** Status code, heading and alert of a page. */
const contentOf = ({ status, root }: Page) => [status, root.querySelector('h1')?.text, root.querySelector('[role=alert]')?.text]

describe('the verification page of the device flow', () => {
  test('contains the user code of verification_uri_complete and does not submit itself', async () => {
    const { body: device } = await requestDeviceCode(service, await createDeviceClient(database))
    const page = await new Browser(service.url).open(device.verification_uri_complete)
    expect(page.status).toBe(200)
    expect(page.root.querySelector('input[name=user_code]')?.getAttribute('value')).toBe(device.user_code)
    expect(page.text).toContain('Continue only if your device shows this code.')
    expect(page.text).not.toContain('Signed in as')
    expect(page.root.querySelectorAll('script')).toEqual([])
  })

  test.each(['－', '‐', 'ー', '−', '　', ' – '])('accepts a code in full-width letters with %j between them', async (between) => {
    const { body: device } = await requestDeviceCode(service, await createDeviceClient(database))
    const wide = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
    const typed = wide(device.user_code).replace('-', between)
    const { browser, consent } = await openDeviceConsent(service, await createPerson(database), typed.toLowerCase())
    expect(contentOf(consent)).toEqual([200, 'Allow TV to access your account?', undefined])
    expect(consent.root.querySelector('p.code')?.text).toBe(device.user_code)
    expect((await browser.press(consent, 'Allow access')).status).toBe(200)
    // The link may contain such a code, too.
    const link = await browser.open(`/login/device?user_code=${encodeURIComponent(typed)}`)
    expect(contentOf(link)).toEqual([422, 'Connect a device', 'This code was already used. Get a new code on your device.'])
  })

  test('shows an error for an unknown code and for a code that was already used', async () => {
    const user = await createPerson(database)
    const browser = new Browser(service.url)
    const wrong = await browser.press(await browser.open('/login/device'), 'Continue', { Code: 'BCDF-GHJK' })
    expect(contentOf(wrong)).toEqual([422, 'Connect a device', 'This code is incorrect. Check the code that your device shows.'])
    const { body: device } = await requestDeviceCode(service, await createDeviceClient(database))
    const { consent } = await openDeviceConsent(service, user, device.user_code, browser)
    await browser.press(consent, 'Allow access')
    const again = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
    const used = [422, 'Connect a device', 'This code was already used. Get a new code on your device.']
    expect(contentOf(again)).toEqual(used)
    // The link with the code does not offer it again.
    const link = await browser.open(device.verification_uri_complete)
    expect([...contentOf(link), link.root.querySelector('input[name=user_code]')?.getAttribute('value')]).toEqual([...used, ''])
  })

  test('rejects a form of another session', async () => {
    const client = await createDeviceClient(database)
    const { body: device } = await requestDeviceCode(service, client)
    const form = await new Browser(service.url).open('/login/device')
    const other = new Browser(service.url)
    await other.open('/login/device')
    const rejected = await other.press(form, 'Continue', { Code: device.user_code })
    expect(contentOf(rejected)).toEqual([400, 'Connect a device', 'This page expired. Enter the code again.'])
    expect((await pollDeviceCode(service, client, device.device_code)).body).toEqual(pending)
  })
})

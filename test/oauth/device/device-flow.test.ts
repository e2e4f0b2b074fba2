import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { createDeviceClient, deviceGrantType } from '../../support/oauth/device.ts'
import { createClient, createPerson, post, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createTeam, join } from '../../support/data/team.ts'

const service = useService()
const { database } = service

const requestDeviceCode = (client: TestClient, scope = 'openid offline_access teams') =>
  post(service, '/api/oauth/device', client, { scope })
const poll = (client: TestClient, device_code: string) =>
  post(service, '/api/oauth/token', client, { grant_type: deviceGrantType, device_code })

const pending = { error: 'authorization_pending', error_description: expect.stringMatching(/still pending/) }
const denials = { confirmation: 'End-User aborted interaction', consent: 'End-User denied access' }
/** Status code, heading and alert of a page. */
const contentOf = ({ status, root }: Page) => [status, root.querySelector('h1')?.text, root.querySelector('[role=alert]')?.text]

/** Enters the user code, confirms it and signs in; returns the consent page. */
async function openConsent(user: User, userCode: string, browser = new Browser(service.url)) {
  const form = await browser.open('/login/device')
  const confirmation = await browser.press(form, 'Continue', { Code: userCode })
  const page = await browser.press(confirmation, 'Continue')
  return { browser, consent: page.text.includes('Password') ? await signIn(browser, page, user) : page }
}

describe('the device flow', () => {
  test('starts with a device code, a user code and a polling interval', async () => {
    const { status, body } = await requestDeviceCode(await createDeviceClient(database))
    expect([status, body]).toEqual([
      200,
      {
        device_code: expect.stringMatching(/^[\w-]{43}$/),
        user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
        verification_uri: `${service.url}/login/device`,
        verification_uri_complete: `${service.url}/login/device?user_code=${body.user_code}`,
        expires_in: 600,
        interval: 5,
      },
    ])
  })

  test('returns authorization_pending until the user allows access, and then issues tokens once', async () => {
    const client = await createDeviceClient(database, { team: 'optional' })
    const user = await createPerson(database)
    const team = await createTeam(database)
    await join(database, team, user, 'member')
    const { body: device } = await requestDeviceCode(client)
    const early = await poll(client, device.device_code)
    expect([early.status, early.body]).toEqual([400, pending])
    const { browser, consent } = await openConsent(user, device.user_code.toLowerCase().replace('-', ' '))
    expect(consent.text).toContain('TV')
    const done = await browser.press(consent, 'Allow access', { Team: team.slug })
    expect(done.status).toBe(200)
    travel(5000)
    const { status, body } = await poll(client, device.device_code)
    expect([status, body.team, body.scope]).toEqual([200, team.slug, 'teams openid offline_access'])
    expect((await request(service, 'GET', '/api/v1/teams', { token: body.access_token })).body.data.length).toBe(1)
    travel(5000)
    expect((await poll(client, device.device_code)).body).toEqual(invalidGrant)
    expect((await request(service, 'GET', '/api/v1/teams', { token: body.access_token })).status).toBe(401)
  })

  test('returns access_denied after the user denies the request at the confirmation or the consent', async () => {
    for (const step of ['confirmation', 'consent'] as const) {
      const client = await createDeviceClient(database)
      const user = await createPerson(database)
      const { body: device } = await requestDeviceCode(client)
      const browser = new Browser(service.url)
      if (step === 'consent') {
        const { consent } = await openConsent(user, device.user_code, browser)
        await browser.press(consent, 'Deny')
      } else {
        const confirmation = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
        await browser.press(confirmation, 'Deny')
      }
      const { status, body } = await poll(client, device.device_code)
      expect([status, body]).toEqual([400, { error: 'access_denied', error_description: denials[step] }])
    }
  })

  test('connects the device to one of two users who allow it simultaneously and shows an error to the other', async () => {
    const client = await createDeviceClient(database)
    for (let round = 0; round < 10; round++) {
      const { body: device } = await requestDeviceCode(client)
      const users = await Promise.all([createPerson(database), createPerson(database)])
      const pages = await Promise.all(
        users.map(async (user) => {
          const { browser, consent } = await openConsent(user, device.user_code)
          return consent.text.includes('Allow access') ? browser.press(consent, 'Allow access') : consent
        }),
      )
      const winners = users.filter((_, index) => pages[index]?.status === 200)
      // The other user sees the error after the confirmation or after the consent.
      expect(pages.map(contentOf).toSorted((first, second) => Number(first[0]) - Number(second[0]))).toEqual([
        [200, 'Device connected', undefined],
        [expect.toBeOneOf([400, 422]), 'Connect a device', 'This code was already used. Get a new code on your device.'],
      ])
      travel(5000)
      const { status, body } = await poll(client, device.device_code)
      expect(status).toBe(200)
      const { body: account } = await request(service, 'GET', '/api/v1/user', { token: body.access_token })
      expect([account.id]).toEqual(winners.map(({ id }) => id))
    }
  })

  test('returns slow_down to a client that polls too fast and adds 5 seconds to the interval each time', async () => {
    const client = await createDeviceClient(database)
    const { body: device } = await requestDeviceCode(client)
    const errors: string[] = []
    // The interval is 5 s, then 10 s, then 15 s.
    for (const pause of [0, 4000, 9000, 15_000, 14_000, 20_000]) {
      travel(pause)
      errors.push((await poll(client, device.device_code)).body.error)
    }
    expect(errors).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
      'slow_down',
      'authorization_pending',
    ])
  })

  test('returns expired_token after ten minutes', async () => {
    const client = await createDeviceClient(database)
    const { body: device } = await requestDeviceCode(client)
    travel(601_000)
    const { status, body } = await poll(client, device.device_code)
    expect([status, body]).toEqual([400, { error: 'expired_token', error_description: 'device code is expired' }])
  })

  test('returns invalid_grant for a device code of another client or an unknown device code', async () => {
    const { body: device } = await requestDeviceCode(await createDeviceClient(database))
    const other = await createDeviceClient(database)
    for (const code of [device.device_code, 'A'.repeat(43)]) {
      const { status, body } = await poll(other, code)
      expect([status, body]).toEqual([400, invalidGrant])
    }
  })

  test('returns unauthorized_client to a client that is not registered for the grant type', async () => {
    const { status, body } = await requestDeviceCode(await createClient(database))
    const error = { error: 'unauthorized_client', error_description: 'the client is not registered for this grant type' }
    expect([status, body]).toEqual([400, error])
  })

  test.each(['', 'bogus'])('returns invalid_scope for the scope %j, which contains no known scope', async (scope) => {
    const { status, body } = await requestDeviceCode(await createDeviceClient(database), scope)
    expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description: 'no scope is requested that can be granted' }])
  })
})

describe('the verification page of the device flow', () => {
  test('contains the user code of verification_uri_complete and does not submit itself', async () => {
    const { body: device } = await requestDeviceCode(await createDeviceClient(database))
    const page = await new Browser(service.url).open(device.verification_uri_complete)
    expect(page.status).toBe(200)
    expect(page.root.querySelector('input[name=user_code]')?.getAttribute('value')).toBe(device.user_code)
    expect(page.root.querySelectorAll('script')).toEqual([])
  })

  test.each(['－', '‐', 'ー', '−', '　', ' – '])('accepts a code in full-width letters with %j between them', async (between) => {
    const { body: device } = await requestDeviceCode(await createDeviceClient(database))
    const wide = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
    const typed = wide(device.user_code).replace('-', between)
    const browser = new Browser(service.url)
    const confirmation = await browser.press(await browser.open('/login/device'), 'Continue', { Code: typed })
    expect(contentOf(confirmation)).toEqual([200, expect.stringMatching(/^Connect .*\?$/), undefined])
    expect(confirmation.root.querySelector('p.code')?.text).toBe(device.user_code)
    const { consent } = await openConsent(await createPerson(database), typed.toLowerCase(), browser)
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
    const { body: device } = await requestDeviceCode(await createDeviceClient(database))
    const { consent } = await openConsent(user, device.user_code, browser)
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
    const { body: device } = await requestDeviceCode(client)
    const form = await new Browser(service.url).open('/login/device')
    const other = new Browser(service.url)
    await other.open('/login/device')
    const rejected = await other.press(form, 'Continue', { Code: device.user_code })
    expect(contentOf(rejected)).toEqual([400, 'Connect a device', 'This page expired. Enter the code again.'])
    expect((await poll(client, device.device_code)).body).toEqual(pending)
  })
})

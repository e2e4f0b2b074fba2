import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { createClient, createPerson, post, signIn } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'

const service = await startService()
const { database } = service
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const createDevice = (options: Parameters<typeof createClient>[1] = {}) =>
  createClient(database, { confidential: false, redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'], name: 'TV', ...options })

const start = (client: TestClient, scope = 'openid offline_access teams') => post(service, '/api/oauth/device', client, { scope })
const poll = (client: TestClient, device_code: string) =>
  post(service, '/api/oauth/token', client, { grant_type: deviceGrant, device_code })

const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }
const pending = { error: 'authorization_pending', error_description: expect.stringMatching(/still pending/) }
const denials = { confirmation: 'End-User aborted interaction', consent: 'End-User denied access' }
/** What a page says: its status, heading and alert. */
const shown = ({ status, root }: Page) => [status, root.querySelector('h1')?.text, root.querySelector('[role=alert]')?.text]

/** Types the code, confirms it, signs in; answers the consent page. */
async function approve(person: Awaited<ReturnType<typeof createPerson>>, userCode: string, browser = new Browser(service.url)) {
  const form = await browser.open('/login/device')
  const confirmation = await browser.press(form, 'Continue', { Code: userCode })
  const page = await browser.press(confirmation, 'Continue')
  return { browser, consent: page.text.includes('Password') ? await signIn(browser, page, person) : page }
}

describe('a device', () => {
  test('starts with a code to show, and the interval to poll at', async () => {
    const { status, body } = await start(await createDevice())
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

  test('waits until the person allows it, then gets tokens once', async () => {
    const client = await createDevice({ team: 'optional' })
    const person = await createPerson(database)
    const team = await createTeam(database)
    await join(database, team, person, 'member')
    const { body: device } = await start(client)
    const waiting = await poll(client, device.device_code)
    expect([waiting.status, waiting.body]).toEqual([400, pending])
    const { browser, consent } = await approve(person, device.user_code.toLowerCase().replace('-', ' '))
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

  test('is told access_denied when the person denies it', async () => {
    for (const step of ['confirmation', 'consent'] as const) {
      const client = await createDevice()
      const person = await createPerson(database)
      const { body: device } = await start(client)
      const browser = new Browser(service.url)
      if (step === 'consent') {
        const { consent } = await approve(person, device.user_code, browser)
        await browser.press(consent, 'Deny')
      } else {
        const confirmation = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
        await browser.press(confirmation, 'Deny')
      }
      const { status, body } = await poll(client, device.device_code)
      expect([status, body]).toEqual([400, { error: 'access_denied', error_description: denials[step] }])
    }
  })

  test('that two people allow at once is one of theirs, and the other is told', async () => {
    const client = await createDevice()
    for (let round = 0; round < 10; round++) {
      const { body: device } = await start(client)
      const people = await Promise.all([createPerson(database), createPerson(database)])
      const pages = await Promise.all(
        people.map(async (person) => {
          const { browser, consent } = await approve(person, device.user_code)
          return consent.text.includes('Allow access') ? browser.press(consent, 'Allow access') : consent
        }),
      )
      const winners = people.filter((_, index) => pages[index]?.status === 200)
      // The other is told when they confirm the code, or when they allow it.
      expect(pages.map(shown).toSorted((one, other) => Number(one[0]) - Number(other[0]))).toEqual([
        [200, 'Device connected', undefined],
        [expect.toBeOneOf([400, 422]), 'Connect a device', 'This code was used already. Let your device show a new one.'],
      ])
      travel(5000)
      const { status, body } = await poll(client, device.device_code)
      expect(status).toBe(200)
      const { body: account } = await request(service, 'GET', '/api/v1/user', { token: body.access_token })
      expect([account.id]).toEqual(winners.map(({ id }) => id))
    }
  })

  test('that polls too fast is told to slow down, by 5 seconds more each time', async () => {
    const client = await createDevice()
    const { body: device } = await start(client)
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

  test('is told expired_token after ten minutes', async () => {
    const client = await createDevice()
    const { body: device } = await start(client)
    travel(601_000)
    const { status, body } = await poll(client, device.device_code)
    expect([status, body]).toEqual([400, { error: 'expired_token', error_description: 'device code is expired' }])
  })

  test('gets nothing for the code of another client, or one that nobody gave', async () => {
    const { body: device } = await start(await createDevice())
    const other = await createDevice()
    for (const code of [device.device_code, 'A'.repeat(43)]) {
      const { status, body } = await poll(other, code)
      expect([status, body]).toEqual([400, invalidGrant])
    }
  })

  test('that is not registered for the grant cannot start', async () => {
    const { status, body } = await start(await createClient(database))
    const refusal = { error: 'unauthorized_client', error_description: 'the client is not registered for this grant type' }
    expect([status, body]).toEqual([400, refusal])
  })

  test.each(['', 'bogus'])('that asks for nothing that anybody could grant (%j) cannot start', async (scope) => {
    const { status, body } = await start(await createDevice(), scope)
    expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description: 'no scope is requested that can be granted' }])
  })
})

describe('the verification page', () => {
  test('has the code filled in from the address, and sends nothing by itself', async () => {
    const { body: device } = await start(await createDevice())
    const page = await new Browser(service.url).open(device.verification_uri_complete)
    expect(page.status).toBe(200)
    expect(page.root.querySelector('input[name=user_code]')?.getAttribute('value')).toBe(device.user_code)
    expect(page.root.querySelectorAll('script')).toEqual([])
  })

  test('says when a code is not one, or has been used', async () => {
    const person = await createPerson(database)
    const browser = new Browser(service.url)
    const wrong = await browser.press(await browser.open('/login/device'), 'Continue', { Code: 'BCDF-GHJK' })
    expect(shown(wrong)).toEqual([422, 'Connect a device', 'This code is not right. Compare it with the one that your device shows.'])
    const { body: device } = await start(await createDevice())
    const { consent } = await approve(person, device.user_code, browser)
    await browser.press(consent, 'Allow access')
    const again = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
    expect(shown(again)).toEqual([422, 'Connect a device', 'This code was used already. Let your device show a new one.'])
  })

  test('refuses a form of another session', async () => {
    const client = await createDevice()
    const { body: device } = await start(client)
    const form = await new Browser(service.url).open('/login/device')
    const other = new Browser(service.url)
    await other.open('/login/device')
    const refused = await other.press(form, 'Continue', { Code: device.user_code })
    expect(shown(refused)).toEqual([400, 'Connect a device', 'This page had expired. Enter the code again.'])
    expect((await poll(client, device.device_code)).body).toEqual(pending)
  })
})

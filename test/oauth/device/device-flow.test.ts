import { describe, expect, test } from 'vitest'
import type { Browser, Page } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import * as deviceFlow from '../../support/oauth/device.ts'
import { createClient, createPerson } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createTeam, join } from '../../support/data/team.ts'

const service = useService()
const { database } = service

const requestDeviceCode = (client: TestClient, scope?: string) => deviceFlow.requestDeviceCode(service, client, scope)
const poll = (client: TestClient, deviceCode: string) => deviceFlow.pollDeviceCode(service, client, deviceCode)
const openConsent = (user: User, userCode: string, browser?: Browser) => deviceFlow.openDeviceConsent(service, user, userCode, browser)

const pending = { error: 'authorization_pending', error_description: expect.stringMatching(/still pending/) }
/** Status code, heading and alert of a page. */
const contentOf = ({ status, root }: Page) => [status, root.querySelector('h1')?.text, root.querySelector('[role=alert]')?.text]

describe('the device flow', () => {
  test('starts with a device code, a user code and a polling interval', async () => {
    const { status, body } = await requestDeviceCode(await deviceFlow.createDeviceClient(database))
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
    const client = await deviceFlow.createDeviceClient(database, { team: 'optional' })
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

  test('returns access_denied after the user denies the request', async () => {
    const client = await deviceFlow.createDeviceClient(database)
    const { body: device } = await requestDeviceCode(client)
    const { browser, consent } = await openConsent(await createPerson(database), device.user_code)
    await browser.press(consent, 'Deny')
    const { status, body } = await poll(client, device.device_code)
    expect([status, body]).toEqual([400, { error: 'access_denied', error_description: 'End-User denied access' }])
  })

  test('connects the device to one of two users who allow it simultaneously and shows an error to the other', async () => {
    const client = await deviceFlow.createDeviceClient(database)
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
    const client = await deviceFlow.createDeviceClient(database)
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
    const client = await deviceFlow.createDeviceClient(database)
    const { body: device } = await requestDeviceCode(client)
    travel(601_000)
    const { status, body } = await poll(client, device.device_code)
    expect([status, body]).toEqual([400, { error: 'expired_token', error_description: 'device code is expired' }])
  })

  test('returns invalid_grant for a device code of another client or an unknown device code', async () => {
    const { body: device } = await requestDeviceCode(await deviceFlow.createDeviceClient(database))
    const other = await deviceFlow.createDeviceClient(database)
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
    const { status, body } = await requestDeviceCode(await deviceFlow.createDeviceClient(database), scope)
    expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description: 'no scope is requested that can be granted' }])
  })
})

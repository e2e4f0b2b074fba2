import { createDeviceClient, deviceGrantType, openDeviceConsent } from '../../support/oauth/device.ts'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import { expectStatus } from './journey.ts'
import type { Journey } from './journey.ts'

/** Authorization code with PKCE, refresh, introspection, UserInfo and revocation, in a new browser each time. */
const authorizationCode: Journey = {
  name: 'authorization code',
  pauseMilliseconds: 100,
  async prepare(target) {
    const client = await createClient(target.database)
    const user = await createPerson(target.database)
    return async () => {
      const { body: tokens } = expectStatus(await exchangeCode(target, client, await authorize(target, client, user)), 'code')
      const { body: refreshed } = expectStatus(await refresh(target, client, tokens.refresh_token), 'refresh')
      const { body: state } = await post(target, '/api/oauth/introspect', client, { token: refreshed.access_token })
      if (state.active !== true) throw new Error('introspection: the new access token is not active')
      const headers = { authorization: `Bearer ${refreshed.access_token}` }
      const userInfo = expectStatus(await fetch(`${target.url}/api/oauth/userinfo`, { headers }), 'UserInfo')
      await userInfo.text()
      expectStatus(await post(target, '/api/oauth/revoke', client, { token: refreshed.refresh_token }), 'revocation')
    }
  },
}

/** The device flow. The device polls after the user has allowed access, since it would have to wait between two requests. */
const device: Journey = {
  name: 'device flow',
  pauseMilliseconds: 500,
  async prepare(target) {
    const client = await createDeviceClient(target.database)
    const user = await createPerson(target.database)
    return async () => {
      const { body } = expectStatus(await post(target, '/api/oauth/device', client, { scope: 'openid offline_access' }), 'device code')
      const { browser, consent } = await openDeviceConsent(target, user, body.user_code)
      expectStatus(await browser.press(consent, 'Allow access'), 'device consent')
      const fields = { grant_type: deviceGrantType, device_code: body.device_code }
      expectStatus(await post(target, '/api/oauth/token', client, fields), 'device token')
    }
  },
}

export const oauthJourneys: readonly Journey[] = [authorizationCode, device]

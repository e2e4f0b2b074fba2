import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { Browser } from '../browser/browser.ts'
import type { TestService } from '../service/service.ts'
import { createClient, post, signIn } from './oauth.ts'
import type { ClientOptions, TestClient } from './oauth.ts'

/** Grant type of the device flow (RFC 8628 §3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** Registers a public client that uses the device flow and has no redirect URI. */
export const createDeviceClient = (database: OpenDatabase, options: ClientOptions = {}): Promise<TestClient> =>
  createClient(database, { confidential: false, redirectUris: [], grantTypes: [deviceGrantType, 'refresh_token'], name: 'TV', ...options })

export const requestDeviceCode = (service: Pick<TestService, 'url'>, client: TestClient, scope = 'openid offline_access teams') =>
  post(service, '/api/oauth/device', client, { scope })
export const pollDeviceCode = (service: Pick<TestService, 'url'>, client: TestClient, device_code: string) =>
  post(service, '/api/oauth/token', client, { grant_type: deviceGrantType, device_code })

/** Enters the user code and signs in; returns the consent page. */
export async function openDeviceConsent({ url }: Pick<TestService, 'url'>, user: User, userCode: string, browser = new Browser(url)) {
  const form = await browser.open('/login/device')
  const page = await browser.press(form, 'Continue', { Code: userCode })
  return { browser, consent: page.text.includes('Password') ? await signIn(browser, page, user) : page }
}

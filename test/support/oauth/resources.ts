import { Browser } from '../browser/browser.ts'
import type { TestService } from '../service/service.ts'
import { createDeviceClient, deviceGrantType, openDeviceConsent } from './device.ts'
import { authorizationUrl, consentChoices, createClient, createPerson, post, signIn } from './oauth.ts'
import type { TestClient, TokenResponse } from './oauth.ts'

const scope = 'openid offline_access teams'

type Service = Pick<TestService, 'url' | 'database'>
/** Identifiers of resources (RFC 8707). */
export type Resources = readonly string[]

const addAll = (parameters: URLSearchParams, resources: Resources) => {
  for (const resource of resources) parameters.append('resource', resource)
}

export interface Connected {
  client: TestClient
  tokens: TokenResponse
}

/** Runs the code flow: `authorized` are the resources of the authorization request, `requested` those of the token request. */
export async function codeFlow(service: Service, authorized: Resources, requested: Resources = []): Promise<Connected> {
  const client = await createClient(service.database)
  const { url, verifier } = authorizationUrl(service, client, { scope })
  addAll(url.searchParams, authorized)
  return { client, tokens: await finish(service, client, url, verifier, requested) }
}

/** The same with a pushed request. */
export async function pushedFlow(service: Service, authorized: Resources): Promise<Connected> {
  const client = await createClient(service.database)
  const { url, verifier } = authorizationUrl(service, client, { scope })
  addAll(url.searchParams, authorized)
  const { body } = await post(service, '/api/oauth/par', client, url.searchParams)
  const pushed = new URL(url.pathname, service.url)
  pushed.search = new URLSearchParams({ client_id: client.clientId, request_uri: body.request_uri }).toString()
  return { client, tokens: await finish(service, client, pushed, verifier, []) }
}

async function finish(service: Service, client: TestClient, url: URL, verifier: string, requested: Resources): Promise<TokenResponse> {
  const browser = new Browser(service.url)
  const consent = await signIn(browser, await browser.open(url), await createPerson(service.database))
  const callback = await browser.press(consent, 'Allow access', consentChoices(consent))
  const code = callback.url.searchParams.get('code') ?? ''
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier })
  addAll(form, requested)
  return post(service, '/api/oauth/token', client, form)
}

/** Runs the device flow. */
export async function deviceFlow(service: Service, authorized: Resources, requested: Resources = []): Promise<Connected> {
  const client = await createDeviceClient(service.database)
  const start = new URLSearchParams({ scope })
  addAll(start, authorized)
  const { body: device } = await post(service, '/api/oauth/device', client, start)
  const { browser, consent } = await openDeviceConsent(service, await createPerson(service.database), device.user_code)
  await browser.press(consent, 'Allow access', consentChoices(consent))
  const poll = new URLSearchParams({ grant_type: deviceGrantType, device_code: device.device_code })
  addAll(poll, requested)
  return { client, tokens: await post(service, '/api/oauth/token', client, poll) }
}

/** Refreshes the tokens. */
export async function refreshed(service: Service, { client, tokens }: Connected, requested: Resources = []): Promise<Connected> {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token })
  addAll(form, requested)
  return { client, tokens: await post(service, '/api/oauth/token', client, form) }
}

import { createHash, randomBytes } from 'node:crypto'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { OAuthClient, Prisma, User } from '../../../prisma/generated/client/client.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { hashPassword } from '../../../schema/accounts/passwords/password-hash.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { basicAuthorization } from './client-authentication.ts'
import { Browser } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import type { TestService } from '../service/service.ts'
import { createUser, unique } from '../data/team.ts'
import { addSecret } from '../service/secrets/secrets-in-logs.ts'

export const password = 'correct horse battery staple'
// With the parameters of the product: the first sign-in would replace a cheaper hash.
const passwordHash = hashPassword(password)

/** Creates a user who can sign in with `password`. */
export async function createPerson(database: OpenDatabase, data: Partial<User> = {}): Promise<User> {
  addSecret(password)
  return createUser(database, { passwordHash: await passwordHash, ...data })
}

export interface TestClient extends OAuthClient {
  /** Null for a public client. */
  secret: string | null
  redirectUri: string
}

/** A client as far as authorization requests are concerned. */
export type RequestedClient = Pick<TestClient, 'clientId' | 'redirectUri'>

export interface ClientOptions extends Partial<Omit<OAuthClient, 'requiredScopes' | 'optionalScopes' | 'jwks' | 'proposedChanges'>> {
  proposedChanges?: Record<string, string>
  requiredScopes?: Scope[]
  optionalScopes?: Scope[]
  jwks?: { keys: object[] }
}

/** Registers a client. Default: confidential, code and refresh token grants, `openid` required, other scopes optional. */
export async function createClient({ prisma }: OpenDatabase, data: ClientOptions = {}): Promise<TestClient> {
  const secret = data.confidential === false ? null : randomBytes(32).toString('base64url')
  addSecret(secret ?? '')
  const redirectUri = data.redirectUris?.[0] ?? 'https://app.example/callback'
  const registration: Prisma.OAuthClientUncheckedCreateInput = {
    clientId: unique('client'),
    name: 'Example App',
    redirectUris: [redirectUri],
    confidential: true,
    grantTypes: ['authorization_code', 'refresh_token'],
    requiredScopes: ['openid'],
    optionalScopes: ['profile', 'email', 'offline_access', 'teams', 'acct:team:read', 'acct:team:members:read'],
    ...data,
    ...(secret && { secrets: { create: { hash: sha256(secret) } } }),
  }
  const client = await prisma.oAuthClient.create({ data: registration })
  return { ...client, secret, redirectUri }
}

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** A valid authorization request. `changes` overrides parameters; undefined removes one. */
export function authorizationUrl(
  service: Pick<TestService, 'url'>,
  client: RequestedClient,
  changes: Record<string, string | undefined> = {},
) {
  const { verifier, challenge } = pkce()
  const url = new URL('/login/oauth/authorize', service.url)
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid offline_access acct:team:read',
    state: randomBytes(16).toString('base64url'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return { url, verifier, state: parameters.state }
}

/** Submits the sign-in form of a page. */
export async function signIn(browser: Browser, page: Page, user: User, secret = password): Promise<Page> {
  const address = { 'Email address': user.email }
  if (page.root.querySelector('input[name=password]')) return browser.press(page, 'Sign in', { ...address, Password: secret })
  // Where a team has an identity provider, the page asks for the address first.
  return browser.press(await browser.press(page, 'Continue', address), 'Sign in', { Password: secret })
}

export interface Authorized {
  browser: Browser
  /** The redirect URI with the response parameters. */
  callback: URL
  code: string
  verifier: string
}

export interface AuthorizeOptions {
  /** Fields of the consent form, by label. */
  choices?: Record<string, string | readonly string[]>
  /** Changed parameters of the authorization request. */
  changes?: Record<string, string | undefined>
  browser?: Browser
}

/** Fields of the consent form. Where a team has to be chosen, all teams or, if they are not offered, the first one. */
export function consentChoices(page: Page, choices: NonNullable<AuthorizeOptions['choices']> = {}) {
  const offered = page.root.querySelectorAll('select[name=team] option').flatMap((option) => option.getAttribute('value') || [])
  return offered.length > 1 ? { Team: offered.at(offered.includes('*') ? -1 : 0) ?? '', ...choices } : choices
}

/** Runs an authorization: opens the authorization endpoint, signs in and consents, as far as each page is shown. */
export async function authorize(
  service: Pick<TestService, 'url'>,
  client: RequestedClient,
  user: User,
  { choices = {}, changes = {}, browser = new Browser(service.url) }: AuthorizeOptions = {},
): Promise<Authorized> {
  const { url, verifier } = authorizationUrl(service, client, changes)
  let page = await browser.open(url)
  if (page.url.pathname === '/sign-in') page = await signIn(browser, page, user)
  if (page.url.origin === service.url) page = await browser.press(page, 'Allow access', consentChoices(page, choices))
  const code = page.url.searchParams.get('code')
  if (!code) throw new Error(`no code at ${page.url.href}: ${page.text}`)
  return { browser, callback: page.url, code, verifier }
}

export interface TokenResponse {
  status: number
  headers: Headers
  body: any
}

/** Sends a form to the token endpoint, or another endpoint with client authentication, as this client. */
export async function post(
  service: Pick<TestService, 'url'>,
  path: string,
  client: Pick<TestClient, 'clientId' | 'secret'>,
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  const basic = client.secret && basicAuthorization(client.clientId, client.secret)
  const body = new URLSearchParams(fields)
  if (client.secret === null && !body.has('client_id')) body.set('client_id', client.clientId)
  const response = await fetch(new URL(path, service.url), {
    method: 'POST',
    headers: { accept: 'application/json', ...(basic && { authorization: basic }), ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

export const exchangeCode = (
  service: Pick<TestService, 'url'>,
  client: RequestedClient & Pick<TestClient, 'secret'>,
  { code, verifier }: Pick<Authorized, 'code' | 'verifier'>,
) =>
  post(service, '/api/oauth/token', client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  })

export const refresh = (service: Pick<TestService, 'url'>, client: Pick<TestClient, 'clientId' | 'secret'>, token: string) =>
  post(service, '/api/oauth/token', client, { grant_type: 'refresh_token', refresh_token: token })

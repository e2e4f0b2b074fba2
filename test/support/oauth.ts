import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../../prisma/client.ts'
import type { OAuthClient, User } from '../../prisma/generated/client/client.ts'
import type { Scope } from '../../schema/scopes.ts'
import { hashPassword } from '../../schema/password.ts'
import { sha256 } from '../../schema/secret.ts'
import { Browser } from './browser.ts'
import type { Page } from './browser.ts'
import type { TestService } from './service.ts'
import { createUser, unique } from './team.ts'

export const password = 'correct horse battery staple'
// Made once: hashing is slow on purpose.
const passwordHash = hashPassword(password)

/** A person who can sign in with `password`. */
export const createPerson = async (database: Database, data: Partial<User> = {}): Promise<User> =>
  createUser(database, { passwordHash: await passwordHash, ...data })

export interface TestClient extends OAuthClient {
  /** Null for a public client. */
  secret: string | null
  redirectUri: string
}

interface ClientOptions extends Partial<Omit<OAuthClient, 'requiredScopes' | 'optionalScopes'>> {
  requiredScopes?: Scope[]
  optionalScopes?: Scope[]
}

/** A registered client: confidential, with code and refresh, openid required, the rest optional, unless told. */
export async function createClient({ prisma }: Database, data: ClientOptions = {}): Promise<TestClient> {
  const secret = data.confidential === false ? null : randomBytes(32).toString('base64url')
  const redirectUri = data.redirectUris?.[0] ?? 'https://app.example/callback'
  const client = await prisma.oAuthClient.create({
    data: {
      clientId: unique('client'),
      name: 'Example App',
      redirectUris: [redirectUri],
      confidential: true,
      grantTypes: ['authorization_code', 'refresh_token'],
      requiredScopes: ['openid'],
      optionalScopes: ['profile', 'email', 'offline_access', 'teams', 'acct:team:read', 'acct:team:members:read'],
      ...data,
      ...(secret && { secrets: { create: { hash: sha256(secret) } } }),
    },
  })
  return { ...client, secret, redirectUri }
}

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The documented authorization request, with what a test changes; undefined leaves a parameter out. */
export function authorizationUrl(service: Pick<TestService, 'url'>, client: TestClient, changes: Record<string, string | undefined> = {}) {
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

/** Signs in where the page asks for it. */
export const signIn = (browser: Browser, page: Page, person: User, secret = password): Promise<Page> =>
  browser.press(page, 'Sign in', { 'Email address': person.email, Password: secret })

export interface Authorized {
  browser: Browser
  /** Where the client was called back. */
  callback: URL
  code: string
  verifier: string
}

/** Goes the documented way: authorize, sign in, allow; `choices` fills in the consent form. */
export async function authorize(
  service: Pick<TestService, 'url'>,
  client: TestClient,
  person: User,
  {
    choices = {},
    changes = {},
    browser = new Browser(service.url),
  }: {
    choices?: Record<string, string | readonly string[]>
    changes?: Record<string, string | undefined>
    browser?: Browser
  } = {},
): Promise<Authorized> {
  const { url, verifier } = authorizationUrl(service, client, changes)
  let page = await browser.open(url)
  if (page.text.includes('Password')) page = await signIn(browser, page, person)
  if (page.url.origin === service.url) page = await browser.press(page, 'Allow access', choices)
  const code = page.url.searchParams.get('code')
  if (!code) throw new Error(`no code at ${page.url.href}: ${page.text}`)
  return { browser, callback: page.url, code, verifier }
}

export interface TokenAnswer {
  status: number
  headers: Headers
  body: any
}

/** POST to the token endpoint (or another that clients authenticate at) as this client, with these form fields. */
export async function post(
  service: Pick<TestService, 'url'>,
  path: string,
  client: Pick<TestClient, 'clientId' | 'secret'>,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const basic = client.secret && `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString('base64')}`
  const response = await fetch(new URL(path, service.url), {
    method: 'POST',
    headers: { accept: 'application/json', ...(basic && { authorization: basic }), ...headers },
    body: new URLSearchParams({ ...(client.secret === null && { client_id: client.clientId }), ...fields }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

export const exchangeCode = (
  service: Pick<TestService, 'url'>,
  client: TestClient,
  { code, verifier }: Pick<Authorized, 'code' | 'verifier'>,
) =>
  post(service, '/api/oauth/token', client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  })

export const refresh = (service: Pick<TestService, 'url'>, client: TestClient, token: string) =>
  post(service, '/api/oauth/token', client, { grant_type: 'refresh_token', refresh_token: token })

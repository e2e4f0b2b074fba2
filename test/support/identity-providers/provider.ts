import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CompactSign } from 'jose'
import { afterAll, beforeAll } from 'vitest'
import { createKey, json } from '../identities/ci-issuer.ts'
import type { IssuerKey } from '../identities/ci-issuer.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** An OpenID provider, at a path of its own. A test changes what it answers. */
export interface TestProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The person who is signed in there. */
  claims: Record<string, unknown>
  /** What it states at UserInfo; null for the same. */
  userInfo: Record<string, unknown> | null
  /** The status of UserInfo, and header fields beside it, if it refuses. */
  userInfoStatus: [status: number, headers: Record<string, string>] | null
  /** Further members of its token responses. */
  tokenMembers: Record<string, unknown>
  key: IssuerKey
  /** Changes the ID token that it issues. */
  idToken(claims: Record<string, unknown>): Promise<string>
  /** The parameters with which the browser returns. */
  response(parameters: Record<string, string>): Record<string, string>
  metadata: Answer
  keys: Answer
  token: Answer | null
  /** The parameters of the last authorization request. */
  requested: URLSearchParams
  /** Paths that were requested. */
  readonly requests: string[]
  sign(claims: object, header?: object, key?: IssuerKey): Promise<string>
}

const sign = (claims: object, header: object, { privateKey, publicJwk }: IssuerKey): Promise<string> =>
  new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ typ: 'JWT', alg: publicJwk.alg ?? 'RS256', kid: publicJwk.kid, ...header })
    .sign(privateKey)

/** Runs providers during the tests of a file. `now` is the clock of the service. */
export function useProviders(now: () => Date): { create(): Promise<TestProvider> } {
  const providers = new Map<string, TestProvider>()
  const server = createServer((request, response) => void answer(request, response))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin())
    const [, path = '', endpoint = ''] = /^(\/\d+)(\/.*)$/.exec(pathname) ?? []
    const provider = providers.get(path)
    if (!provider) return void response.writeHead(404).end()
    provider.requests.push(endpoint)
    if (endpoint === '/.well-known/openid-configuration') return provider.metadata(response, request)
    if (endpoint === '/jwks') return provider.keys(response, request)
    if (endpoint === '/userinfo' && provider.userInfoStatus) return void response.writeHead(...provider.userInfoStatus).end()
    if (endpoint === '/userinfo') return json(provider.userInfo ?? provider.claims)(response, request)
    if (endpoint === '/token') {
      const body = new URLSearchParams(await text(request))
      return provider.token ? provider.token(response, request) : issueTokens(provider, body.get('code') ?? '', response, request)
    }
    if (endpoint !== '/authorize') return void response.writeHead(404).end()
    provider.requested = searchParams
    const code = Buffer.from(JSON.stringify({ nonce: searchParams.get('nonce'), ...provider.claims })).toString('base64url')
    const address = new URL(searchParams.get('redirect_uri') ?? '')
    for (const [name, value] of Object.entries(provider.response({ code, state: searchParams.get('state') ?? '' })))
      address.searchParams.set(name, value)
    response.writeHead(302, { location: address.href }).end()
  }

  async function issueTokens(provider: TestProvider, code: string, response: ServerResponse, request: IncomingMessage) {
    const seconds = Math.floor(now().getTime() / 1000)
    const stated: Record<string, unknown> = JSON.parse(Buffer.from(code, 'base64url').toString())
    const claims = { iss: provider.issuer, aud: provider.clientId, iat: seconds, exp: seconds + 300, auth_time: seconds, ...stated }
    json({ access_token: 'access', token_type: 'Bearer', id_token: await provider.idToken(claims), ...provider.tokenMembers })(
      response,
      request,
    )
  }

  return {
    async create() {
      const path = `/${providers.size + 1}`
      const issuer = `${origin()}${path}`
      const provider: TestProvider = {
        issuer,
        clientId: 'client-at-provider',
        clientSecret: 'secret-at-provider',
        claims: { sub: 'subject-1' },
        userInfo: null,
        userInfoStatus: null,
        tokenMembers: {},
        key: await createKey(),
        idToken: (claims) => provider.sign(claims),
        response: (parameters) => parameters,
        metadata: json(metadataOf(issuer)),
        keys: (response, request) => json({ keys: [provider.key.publicJwk] })(response, request),
        token: null,
        requested: new URLSearchParams(),
        requests: [],
        sign: (claims, header = {}, key = provider.key) => sign(claims, header, key),
      }
      providers.set(path, provider)
      return provider
    },
  }
}

/** The metadata of a provider, as OpenID Connect Discovery 1.0 §3 describes it. */
export const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

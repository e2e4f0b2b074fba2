import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { auth } from '@modelcontextprotocol/client'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { connectClient, revisions } from '../../support/mcp/client.ts'
import { createAssertion, createClientKey, keySetOf, postWithAssertion } from '../../support/oauth/clients/client-keys.ts'
import { clientHost, createMetadataClient } from '../../support/oauth/clients/metadata-client.ts'
import { authorize, createPerson, pkce, post, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// How agents identify themselves by a URL: docs/decisions/agents.md#clients-by-url.

const service = useService()
const { database } = service
const { prisma } = database
let team: Team
let user: User
beforeAll(async () => {
  team = await createTeam(database, { agentHosts: [clientHost] })
  user = await createPerson(database)
  await join(database, team, user, 'owner')
})

const isAccepted = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status === 200

test('a client with a key pushes its request, and cannot authenticate otherwise', async () => {
  const key = createClientKey()
  const client = await createMetadataClient({ token_endpoint_auth_method: 'private_key_jwt', jwks: keySetOf(key) })
  const { verifier, challenge } = pkce()
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid offline_access teams',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const assertion = () => createAssertion(service, client, key)
  const pushed = await postWithAssertion(service, '/api/oauth/par', await assertion(), parameters)
  expect(pushed).toMatchObject({ status: 201, body: { expires_in: expect.any(Number) } })
  const changes = {
    request_uri: pushed.body.request_uri,
    ...Object.fromEntries(Object.keys(parameters).map((name) => [name, undefined])),
    client_id: client.clientId,
  }
  const { code } = await authorize(service, client, user, { changes: { ...changes, state: undefined } })
  const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier }
  expect((await post(service, '/api/oauth/token', client, form)).status).toBe(401)
  const other = await createAssertion(service, client, createClientKey('ES256', key.kid))
  expect((await postWithAssertion(service, '/api/oauth/token', other, form)).status).toBe(401)
  const { body } = await postWithAssertion(service, '/api/oauth/token', await assertion(), form)
  expect([body.team, await isAccepted(body.access_token)]).toEqual([team.slug, true])
  const stored = await prisma.oAuthClient.findUniqueOrThrow({ where: { clientId: client.clientId }, include: { secrets: true } })
  expect(stored).toMatchObject({ confidential: true, requireKeyAuthentication: true, secrets: [] })
})

const hasProgram = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0

/** Creates a certificate for the host of the clients, which this process trusts from now on. */
function createCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'))
  const [key, cert] = [path.join(folder, 'key'), path.join(folder, 'cert')]
  const names = ['-subj', `/CN=${clientHost}`, '-addext', `subjectAltName=DNS:${clientHost}`, '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names], { stdio: 'ignore' })
  const files = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  setDefaultCACertificates([...getCACertificates(), files.cert])
  return files
}

describe.runIf(hasProgram)('the official client of the Model Context Protocol', () => {
  let certificate: { key: string; cert: string }
  beforeAll(() => {
    certificate = createCertificate()
  })

  test.each(revisions)('finds out that it can use its URL, connects, and calls a tool (%s)', async (revision) => {
    const client = await createMetadataClient({}, certificate)
    let information: StoredOAuthClientInformation | undefined
    let tokens: StoredOAuthTokens | undefined
    let discovered: OAuthDiscoveryState | undefined
    let verifier = ''
    let callback = new URL(service.url)
    const provider: OAuthClientProvider = {
      redirectUrl: client.redirectUri,
      clientMetadataUrl: client.clientId,
      clientMetadata: { redirect_uris: [client.redirectUri], client_name: 'Code Agent', scope: 'teams acct:team:read offline_access' },
      clientInformation: () => information,
      saveClientInformation: (saved) => void (information = saved),
      tokens: () => tokens,
      saveTokens: (saved) => void (tokens = saved),
      saveCodeVerifier: (saved) => void (verifier = saved),
      codeVerifier: () => verifier,
      saveDiscoveryState: (saved) => void (discovered = saved),
      discoveryState: () => discovered,
      async redirectToAuthorization(url) {
        const browser = new Browser(service.url)
        const page = await signIn(browser, await browser.open(url), user)
        callback = (await browser.press(page, 'Allow access', {})).url
      },
    }
    const serverUrl = `${service.url}/mcp`
    expect(await auth(provider, { serverUrl, scope: 'teams acct:team:read offline_access' })).toBe('REDIRECT')
    const { code: authorizationCode = '', iss = '' } = Object.fromEntries(callback.searchParams)
    expect(await auth(provider, { serverUrl, authorizationCode, iss })).toBe('AUTHORIZED')
    expect(information?.client_id).toBe(client.clientId)
    const mcp = await connectClient(service, tokens?.access_token ?? '', { revision })
    const { structuredContent } = await mcp.callTool({ name: 'get_team', arguments: { team_slug: team.slug } })
    expect(structuredContent).toMatchObject({ slug: team.slug })
    // The provider refreshes the token by itself.
    const first = tokens?.refresh_token
    expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
    expect(tokens?.refresh_token).not.toBe(first)
    expect(client.requests).toBe(1)
  })
})

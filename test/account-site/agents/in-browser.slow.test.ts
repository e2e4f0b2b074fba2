import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { createInitialAccess, publicMetadata } from '../../support/agents/initial-access.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { callMessage, post } from '../../support/mcp/client.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const browser = useChromium()
const redirectUrl = 'http://127.0.0.1:9/callback'

/** Stores in memory what the official client stores. */
function createProvider() {
  let information: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  let discovery: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
  let verifier = ''
  const { scope: _, ...metadata } = publicMetadata
  const provider: OAuthClientProvider & { authorizationUrl: string } = {
    redirectUrl,
    clientMetadata: { ...metadata, redirect_uris: [redirectUrl] },
    authorizationUrl: '',
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (provider.authorizationUrl = url.href),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => void (discovery = saved),
    discoveryState: () => discovery,
  }
  return provider
}

test('an agent registers itself, a member connects it and declines a scope, an owner revokes it, and the member ends it', async () => {
  const team = await createTeam(database)
  const [owner, member] = [await createPerson(database, { name: 'Olga' }), await createPerson(database, { name: 'Ada' })]
  await join(database, team, owner, 'owner')
  await join(database, team, member, 'member')
  const access = await createInitialAccess(database, team)
  const authProvider = createProvider()
  const createTransport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
      authProvider,
      fetch(url, init) {
        const headers = new Headers(init?.headers)
        if (String(url).endsWith('/api/oauth/register')) headers.set('authorization', `Bearer ${access.value}`)
        return fetch(url, { ...init, headers })
      },
    })
  const first = createTransport()
  await expect(new Client({ name: 'agent', version: '1.0.0' }).connect(first)).rejects.toThrow('Unauthorized')

  const tab = await openTab(browser, service)
  await signInAt(tab, service, member.email)
  await tab.page.goto(authProvider.authorizationUrl)
  await tab.page.getByLabel('Team', { exact: true }).selectOption(team.slug)
  await tab.page.getByLabel('See members, their email addresses and roles').uncheck()
  const redirect = tab.page.waitForRequest((request) => request.url().startsWith(redirectUrl))
  await tab.page.getByRole('button', { name: 'Allow access' }).click()
  await first.finishAuth(new URL((await redirect).url()).searchParams)

  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(createTransport())
  onTestFinished(() => client.close())
  const call = { name: 'get_team', arguments: { team_slug: team.slug } }
  expect((await client.callTool(call)).structuredContent).toMatchObject({ slug: team.slug })
  const { access_token: token = '', scope } = (await authProvider.tokens()) ?? {}
  expect(scope?.split(' ')).toContain('teams')
  expect(scope).not.toContain('acct:team:members:read')

  const owned = await openTab(browser, service)
  await signInAt(owned, service, owner.email)
  await owned.page.goto(`${service.url}/teams/${team.slug}/developers/agents`)
  await owned.page.getByRole('button', { name: 'Weather agent' }).click()
  await owned.page.getByText('Revoke access…').click()
  await owned.page.getByRole('button', { name: 'Revoke access', exact: true }).click()
  await owned.page.getByText('No one has connected an agent to this team yet.').waitFor()
  expect(owned.complaints).toEqual([])

  expect((await client.callTool(call)).isError).toBe(true)

  // The member still has the connection, without the team, and ends it.
  await tab.page.goto(`${service.url}/applications`)
  await tab.page.getByRole('button', { name: 'Weather agent' }).click()
  await tab.page.getByText('Revoke access').first().click()
  await tab.page.getByRole('button', { name: 'Revoke access', exact: true }).click()
  await tab.page.getByText('was revoked').waitFor()
  const { status, headers } = await post(service, token, callMessage('get_team', call.arguments))
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="invalid_token"')])
  await expect(client.callTool(call)).rejects.toThrow('grant request is invalid')
})

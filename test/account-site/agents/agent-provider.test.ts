import { describe, expect, test } from 'vitest'
import { heading, noticeOf, valuesOf } from '../../support/account-site/page-content.ts'
import { contentOf, inTeam, wrongOf } from '../../support/account-site/team.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { createClient, password } from '../../support/oauth/oauth.ts'
import { startService, useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const page = '/developers/agents'

/** An owner on the page of an OpenID provider of a team with a verified domain, and an app. */
async function onPage() {
  const { team, browser, address } = await inTeam(service, 'owner', page)
  const id = await seedProvider(service, team, { name: 'Okta' })
  await createDomain(database, team)
  const client = await createClient(database, { name: 'Assistant' })
  const path = `${address}/${id}`
  return { team, browser, id, client, path, list: address, page: await browser.open(path) }
}

const stored = (id: string) => prisma.identityProvider.findUniqueOrThrow({ where: { id } })
describe('the list of providers', () => {
  test('contains the OpenID providers with their state', async () => {
    const { browser, address, team } = await inTeam(service, 'owner', page)
    const on = { agentsEnabledAt: clock.now(), agentClientIds: ['a', 'b'], agentScopes: ['acct:team:read'] }
    await seedProvider(service, team, { name: 'Okta' })
    const id = await seedProvider(service, team, { name: 'Entra', issuer: 'https://entra.example.com', ...on })
    await seedProvider(service, team, { name: 'Old', issuer: 'https://old.example.com', ...on, disabledAt: clock.now() })
    await seedProvider(service, team, { name: 'Saml', issuer: 'https://saml.example.com', kind: 'saml' })
    const shown = await browser.open(address)
    const entries = shown.root
      .querySelectorAll('#provider-access li')
      .map(({ structuredText }) => structuredText.replace(/\s+/g, ' ').trim())
    expect(entries.toSorted()).toEqual(['Entra On: 2 apps, 1 permission', 'Okta Off', 'Old Disabled'])
    expect(shown.root.querySelector(`#provider-access a[href="${address}/${id}"]`)?.text).toBe('Entra')
  })

  test('leads to the sign-in settings where the team has no OpenID provider', async () => {
    const { page: shown, team } = await inTeam(service, 'owner', page)
    expect(shown.root.querySelector('#provider-access a')?.getAttribute('href')).toBe(`/teams/${team.slug}/sign-in`)
  })
})

test('an owner lets the provider give an app access, and turns it off, which keeps the app', async () => {
  const { browser, id, client, path, page: shown } = await onPage()
  expect(heading(shown)).toEqual([200, expect.stringContaining('Okta')])
  expect(shown.root.querySelector('#resource')?.text).toBe(`${service.url}/mcp`)
  const saved = await browser.press(shown, 'Save', {
    enabled: 'true',
    clientIds: `${client.clientId}\r\n`,
    scopes: 'acct:team:read',
    linkByAddress: 'true',
  })
  expect(noticeOf(saved)).toEqual([200, 'The settings were saved. The identity provider can give agents access.'])
  expect(contentOf(saved)).toContain(`Assistant ${client.clientId}`)
  expect(await stored(id)).toMatchObject({
    agentsEnabledAt: expect.any(Date),
    agentClientIds: [client.clientId],
    agentScopes: ['acct:team:read'],
    linksAgentsByAddress: true,
  })
  await browser.press(await browser.open(path), 'Save', { enabled: 'false' })
  expect(await stored(id)).toMatchObject({ agentsEnabledAt: null, agentClientIds: [client.clientId], agentScopes: ['acct:team:read'] })
})

test.each([
  ['no app', { scopes: 'acct:team:read' }, 'clientIds', 'Enter a client ID.'],
  [
    'an unknown app',
    { clientIds: 'unknown', scopes: 'acct:team:read' },
    'clientIds',
    'There is no confidential client “unknown” that the team can use.',
  ],
])('with %s, the message is at the field, and nothing changes', async (_, fields, field, message) => {
  const { browser, id, page: shown } = await onPage()
  const refused = await browser.press(shown, 'Save', { enabled: 'true', ...fields })
  expect([refused.status, wrongOf(refused, field)]).toEqual([422, message])
  expect((await stored(id)).agentsEnabledAt).toBeNull()
})

test('without a permission or a verified domain, the message is at the field', async () => {
  const { browser, client, team, page: shown } = await onPage()
  const refused = await browser.press(shown, 'Save', { enabled: 'true', clientIds: client.clientId })
  expect([refused.status, wrongOf(refused, 'scopes')]).toEqual([422, 'Choose at least one permission.'])
  await prisma.teamDomain.updateMany({ where: { teamId: team.id }, data: { verifiedAt: null } })
  const again = await browser.press(refused, 'Save', { enabled: 'true', scopes: 'acct:team:read' })
  expect([again.status, wrongOf(again, 'enabled')]).toEqual([422, 'Verify a domain of the team first.'])
  expect(contentOf(again)).toContain('The identity provider can give access only while the team has a verified domain.')
})

test('the form needs a recent sign-in, and is shown again with what was entered after the password', async () => {
  const { browser, id, client, path, page: shown } = await onPage()
  clock.advance(16 * 60_000)
  const asked = await browser.press(shown, 'Save', { enabled: 'true', clientIds: client.clientId, scopes: 'acct:team:read' })
  expect([asked.url.pathname, heading(asked), (await stored(id)).agentsEnabledAt]).toEqual(['/confirm', [200, 'Confirm it’s you'], null])
  const back = await browser.press(asked, 'Continue', { Password: password })
  expect([back.url.pathname, valuesOf(back).get('clientIds')]).toEqual([path, client.clientId])
  await browser.press(back, 'Save')
  expect(await stored(id)).toMatchObject({ agentsEnabledAt: expect.any(Date), agentScopes: ['acct:team:read'] })
})

test('the page exists for owners and OpenID providers of their team alone', async () => {
  const { browser, team, list } = await onPage()
  const saml = await seedProvider(service, team, { issuer: 'https://saml.example.com', kind: 'saml' })
  const other = await onPage()
  for (const id of [saml, other.id]) expect((await browser.open(`${list}/${id}`)).status).toBe(404)
  const member = await inTeam(service, 'member', page)
  const id = await seedProvider(service, member.team)
  expect(member.page.text).not.toContain('provider-access')
  expect((await member.browser.open(`${member.address}/${id}`)).status).toBe(403)
})

test.each([
  ['off', 'At this service, such agents cannot be connected.'],
  ['any', 'This service allows every host.'],
] as const)(
  'with the setting %s for clients by URL, the page says so and has no form for hosts',
  async (clientMetadataDocuments, sentence) => {
    const other = await startService({ clientMetadataDocuments })
    const { page: shown } = await inTeam(other, 'owner', page)
    expect(contentOf(shown)).toContain(sentence)
    expect(contentOf(shown)).not.toContain('Allow host')
  },
)

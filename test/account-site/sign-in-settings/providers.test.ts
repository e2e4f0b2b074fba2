import { describe, expect, test } from 'vitest'
import { contentOf, heading } from '../../support/account-site/page-content.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'
import { createIssuer } from '../../support/identity-providers/issuer.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database
const providersOf = (teamId: string) => prisma.identityProvider.findMany({ where: { teamId }, orderBy: { createdAt: 'asc' } })
const linkTo = (page: Awaited<ReturnType<typeof inTeam>>['page'], text: string) =>
  page.root
    .querySelectorAll('main a')
    .find((link) => link.text.trim() === text)
    ?.getAttribute('href') ?? ''

describe('a new identity provider', () => {
  test('is chosen, registered there by the guide, entered, and has then to be tested', async () => {
    const { team, browser, page } = await inTeam(service, 'owner', '/sign-in')
    expect(contentOf(page)).toContain('Add the identity provider of your organization')
    const choice = await browser.open(linkTo(page, 'New identity provider'))
    expect(contentOf(choice)).toContain('Which identity provider does your organization use?')
    const guide = await browser.open(linkTo(choice, 'Keycloak'))
    const redirectUri = guide.root.querySelector('#redirect-uri')?.text ?? ''
    expect(redirectUri).toMatch(new RegExp(`^${service.url}/sign-in/callback/[0-9a-f-]{36}$`))
    expect(guide.root.querySelector('[data-copy=redirect-uri]')?.text).toBe('Copy redirect URI')
    // The administrator leaves the page and comes back.
    expect((await browser.open(guide.url.pathname + guide.url.search)).root.querySelector('#redirect-uri')?.text).toBe(redirectUri)
    const issuer = await createIssuer()
    const fields = { Issuer: issuer, 'Client ID': 'team-account', 'Client secret': 's3cret', 'Groups claim': 'groups' }
    const created = await browser.press(guide, 'Add identity provider', fields)
    const [provider] = await providersOf(team.id)
    expect([heading(created), created.url.pathname]).toEqual([[200, 'Keycloak'], `/teams/${team.slug}/sign-in/${provider?.id}`])
    expect(redirectUri.endsWith(`/${provider?.id}`)).toBe(true)
    expect(provider).toMatchObject({ kind: 'oidc', issuer, clientId: 'team-account', groupsClaim: 'groups', jitRole: 'member' })
    for (const text of ['Test the sign-in yourself', redirectUri]) expect(contentOf(created)).toContain(text)
    expect(created.root.toString()).not.toContain('s3cret')
    const start = linkTo(created, 'Test sign-in')
    expect(start).toBe(
      `/sign-in/start/${provider?.id}?return_to=${encodeURIComponent(`/teams/${team.slug}/sign-in/${provider?.id}/test`)}&purpose=test`,
    )
    const overview = contentOf(await browser.open(`/teams/${team.slug}/sign-in`))
    for (const text of ['Not tested', 'Test the sign-in yourself', `${service.url}/sign-in/${team.slug}`])
      expect(overview.replaceAll(/\s+/g, ' ')).toContain(text)
  })

  test('is chosen by a card, which opens its guide for the protocol of the provider', async () => {
    const { address, browser } = await inTeam(service, 'owner', '/sign-in/new')
    const cards = (await browser.open(address)).root.querySelectorAll('main .tiles > .linked a')
    expect(cards.map((card) => [card.text, card.getAttribute('href')])).toEqual([
      ['Okta', `${address}?provider=okta&protocol=oidc`],
      ['Microsoft Entra ID', `${address}?provider=entra&protocol=oidc`],
      ['Google Workspace', `${address}?provider=google&protocol=oidc`],
      ['Keycloak', `${address}?provider=keycloak&protocol=oidc`],
      ['Other OpenID Connect', `${address}?provider=other&protocol=oidc`],
      ['Other SAML', `${address}?provider=other&protocol=saml`],
    ])
    for (const [card, protocol, field] of [
      [cards[0], 'OpenID Connect', 'issuer'],
      [cards[4], 'OpenID Connect', 'issuer'],
      [cards[5], 'SAML 2.0', 'metadata'],
    ] as const) {
      const { root } = await browser.open(card?.getAttribute('href') ?? '')
      expect(root.querySelector('nav[aria-label=Protocol] a[aria-current=page]')?.text).toBe(protocol)
      expect(root.querySelector(`#enter [name=${field}]`)).not.toBeNull()
    }
  })

  test.each([
    ['okta', 'Okta'],
    ['other', 'your identity provider'],
  ])('says at which of the two sides each value is entered (%s)', async (provider, label) => {
    const { address, browser } = await inTeam(service, 'owner', '/sign-in/new')
    const { root } = await browser.open(`${address}?provider=${provider}`)
    const textsOf = (id: string) => [`#${id} h2`, `#${id} .hint`].map((part) => root.querySelector(part)?.text)
    expect(textsOf('register')).toEqual(['At your identity provider', `First register this service at ${label}, with these values.`])
    expect(textsOf('enter')).toEqual(['At this service', `Then enter here the values that ${label} shows.`])
    expect(root.querySelector('#register #redirect-uri')).not.toBeNull()
    expect(root.querySelector('#enter [name=clientId]')).not.toBeNull()
  })

  test('at an issuer that cannot be read is refused with the reason at its field, and keeps what was entered but the secret', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const guide = await browser.open(`/teams/${team.slug}/sign-in/new?provider=other`)
    const fields = { Name: 'Acme', Issuer: 'http://127.0.0.1:9', 'Client ID': '1', 'Client secret': 's3cret' }
    const refused = await browser.press(guide, 'Add identity provider', fields)
    expect(refused.status).toBe(422)
    expect(wrongOf(refused, 'issuer')).toBe(
      'The metadata at http://127.0.0.1:9/.well-known/openid-configuration cannot be used. The connection was refused.',
    )
    expect(refused.root.querySelector('input[name=clientId]')?.getAttribute('value')).toBe('1')
    expect(refused.root.toString()).not.toContain('s3cret')
    expect(await providersOf(team.id)).toEqual([])
  })

  test.each(['oidc', 'saml'])('with a refused name says so at the field, and keeps what was entered (%s)', async (protocol) => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const guide = await browser.open(`/teams/${team.slug}/sign-in/new?provider=other&protocol=${protocol}`)
    const issuer = await createIssuer()
    const entered: Record<string, string> =
      protocol === 'oidc' ? { Issuer: issuer, 'Client ID': 'client-1', 'Client secret': '' } : { Metadata: '<not XML' }
    for (const [name, message] of [
      ['Team Acc0unts login', 'Name must not imitate the name of this service, Team accounts.'],
      ['Nоrthwind', 'Name must not mix letters of several scripts.'],
      [' ', 'Enter a name.'],
    ] as const) {
      const refused = await browser.press(guide, 'Add identity provider', { ...entered, Name: name, 'Role of new members': 'BILLING' })
      expect([refused.status, wrongOf(refused, 'name')]).toEqual([422, message])
      const valueOf = (field: string) => refused.root.querySelector(`[name=${field}]`)?.getAttribute('value')
      expect(valueOf('name')).toBe(name)
      if (protocol === 'oidc') expect([valueOf('issuer'), valueOf('clientId')]).toEqual([issuer, 'client-1'])
      else expect(refused.root.querySelector('textarea[name=metadata]')?.text.trim()).toBe('<not XML')
      expect(refused.root.querySelector('select[name=jitRole] option[selected]')?.text).toBe('Billing')
    }
    expect(await providersOf(team.id)).toEqual([])
  })

  test.each(['entra', 'okta', 'google', 'keycloak', 'other'])('has a guide for %s with both protocols', async (name) => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const path = `/teams/${team.slug}/sign-in/new?provider=${name}`
    const oidc = await browser.open(path)
    expect(oidc.root.querySelectorAll('main ol li').length).toBeGreaterThanOrEqual(4)
    const saml = await browser.open(`${path}&protocol=saml`)
    expect(saml.root.querySelector('#acs-url')?.text).toMatch(/\/sign-in\/saml\/[0-9a-f-]{36}$/)
    expect(saml.root.querySelector('#entity-id')?.text).toBe(`${saml.root.querySelector('#acs-url')?.text}/metadata`)
    expect(saml.root.querySelector('textarea[name=metadata]')).not.toBeNull()
  })

  test('of Entra ID takes the identifier of the tenant, and of Google Workspace no issuer', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const entra = await browser.open(`/teams/${team.slug}/sign-in/new?provider=entra`)
    const refused = await browser.press(entra, 'Add identity provider', { 'Directory (tenant) ID': 'contoso', 'Client ID': '1' })
    expect(wrongOf(refused, 'issuer')).toContain('must be an https URL.')
    const google = await browser.open(`/teams/${team.slug}/sign-in/new?provider=google`)
    expect(google.root.querySelector('input[name=issuer]')).toBeNull()
  })
})

describe('the page of an identity provider', () => {
  test('changes settings, keeps the secret if none is entered, and asks for another test after a change of the client', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const id = await seedProvider(service, team, { testedAt: new Date(), jitRole: 'member' })
    const [before] = await providersOf(team.id)
    const path = `/teams/${team.slug}/sign-in/${id}`
    const renamed = await browser.press(await browser.open(`${path}/settings`), 'Save', {
      Name: 'Northwind',
      'Role of new members': '',
      'Client secret': '',
    })
    expect(contentOf(renamed)).toContain('The settings were saved.')
    expect(await providersOf(team.id)).toEqual([{ ...before, name: 'Northwind', jitRole: null, updatedAt: expect.any(Date) }])
    const changed = await browser.press(renamed, 'Save', { 'Client ID': 'client-2', 'Client secret': '' })
    expect(contentOf(changed)).toContain('The settings were saved. Test the sign-in.')
    expect(await providersOf(team.id)).toMatchObject([{ clientId: 'client-2', testedAt: null }])
  })

  test('refuses a name that could be mistaken for the service at its field, and keeps what was entered', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const id = await seedProvider(service, team)
    const fields = { Name: 'Team Acc0unts login', 'Client ID': 'client-2', 'Client secret': '' }
    const path = `/teams/${team.slug}/sign-in/${id}`
    const refused = await browser.press(await browser.open(`${path}/settings`), 'Save', fields)
    expect([refused.status, wrongOf(refused, 'name')]).toEqual([422, 'Name must not imitate the name of this service, Team accounts.'])
    expect(refused.root.querySelector('input[name=name]')?.getAttribute('value')).toBe(fields.Name)
    expect(refused.root.querySelector('input[name=clientId]')?.getAttribute('value')).toBe('client-2')
    expect(await providersOf(team.id)).toMatchObject([{ name: 'Acme', clientId: 'client-1' }])
  })

  test('says how many users can no longer sign in before it deletes the provider', async () => {
    const { team, person: user, browser } = await inTeam(service, 'owner', '/sign-in')
    const id = await seedProvider(service, team)
    const identity = { providerId: id, userId: user.id, subject: '1', lastSignInAt: new Date() }
    await prisma.externalIdentity.create({ data: identity })
    const page = await browser.open(`/teams/${team.slug}/sign-in/${id}/settings`)
    const confirmation = await browser.open(page.url.pathname + (page.root.querySelector('a.confirm')?.getAttribute('href') ?? ''))
    expect(contentOf(confirmation)).toContain('One user can no longer sign in this way.')
    const deleted = await browser.press(confirmation, 'Delete this identity provider')
    expect(deleted.url.pathname).toBe(`/teams/${team.slug}/sign-in`)
    expect(contentOf(deleted)).toContain('The identity provider was deleted.')
  })

  test('says that an operator disabled it, and offers no test', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const id = await seedProvider(service, team, { disabledAt: new Date() })
    const page = await browser.open(`/teams/${team.slug}/sign-in/${id}`)
    expect(contentOf(page)).toContain('The operator of this service has disabled this identity provider.')
    expect(linkTo(page, 'Test sign-in')).toBe('')
  })
})

test.each(['member', 'billing'] as const)('a %s of the team sees no page about sign-in', async (role) => {
  const { team, browser } = await inTeam(service, role, '')
  const id = await seedProvider(service, team)
  for (const path of ['', '/new', `/${id}`, `/${id}/test`])
    expect(heading(await browser.open(`/teams/${team.slug}/sign-in${path}`))).toEqual([403, 'You don’t have access'])
})

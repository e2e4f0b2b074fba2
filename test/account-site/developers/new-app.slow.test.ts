import { expect, test } from 'vitest'
import { alertOf, contentOf, heading, tokenValueOn, valuesOf } from '../../support/account-site/page-content.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { password } from '../../support/oauth/oauth.ts'
import { addSecret } from '../../support/service/secrets/secrets-in-logs.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { clock, database } = service
const { prisma } = database

const appsOf = (ownerTeamId: string) => prisma.oAuthClient.findMany({ where: { ownerTeamId } })
const device = 'urn:ietf:params:oauth:grant-type:device_code'

test.each([
  ['web', true, ['authorization_code', 'refresh_token'], ['profile', 'email', 'offline_access', 'acct:team:read'], ['openid']],
  ['public', false, ['authorization_code', 'refresh_token'], ['profile', 'email', 'offline_access', 'acct:team:read'], ['openid']],
  ['device', false, [device, 'refresh_token'], ['profile', 'email', 'offline_access', 'acct:team:read'], ['openid']],
  ['service', true, ['client_credentials'], ['acct:team:read'], []],
])(
  'a new app of the kind %s works with the defaults; its secret is shown once',
  async (kind, confidential, grantTypes, optional, required) => {
    const { team, browser, page } = await inTeam(service, 'owner', '/developers/new')
    const uris = grantTypes.includes('authorization_code') ? 'https://app.example/callback\n https://app.example/other' : ''
    const created = await browser.press(page, 'Create app', { Name: 'Portal', kind, 'Redirect URIs': uris })
    const [app] = await appsOf(team.id)
    expect(app).toMatchObject({ name: 'Portal', confidential, grantTypes, requiredScopes: required, team: 'required', state: 'draft' })
    expect(app?.optionalScopes.toSorted()).toEqual(optional.toSorted())
    expect(app?.redirectUris).toEqual(uris === '' ? [] : ['https://app.example/callback', 'https://app.example/other'])
    const path = `/teams/${team.slug}/developers/${app?.clientId}/quick-start`
    const secret = tokenValueOn(created)
    if (!confidential) return expect([created.url.pathname, heading(created), secret]).toEqual([path, [200, 'Portal'], ''])
    addSecret(secret)
    expect([heading(created), secret]).toEqual([[200, 'Copy the client secret'], expect.stringMatching(/^[\w-]{43}$/)])
    expect(created.url.search).toBe('')
    const opened = await browser.open(created.root.querySelector('main a.button')?.getAttribute('href') ?? '')
    expect([opened.url.pathname, heading(opened), opened.text.includes(secret)]).toEqual([path, [200, 'Portal'], false])
    if (kind === 'service') {
      const { status, body } = await requestMachineToken(service, { clientId: app?.clientId ?? '', secret })
      expect([status, body.scope, body.team]).toEqual([200, 'acct:team:read', team.slug])
    }
  },
)

test.each([
  [{ Name: '', 'Redirect URIs': 'https://app.example/cb' }, 'name', 'Enter a name.'],
  [{ Name: 'Portal', 'Redirect URIs': '' }, 'redirectUris', 'Enter a redirect URI.'],
  [
    { Name: 'Portal', 'Redirect URIs': 'https://app.example/cb\nhttp://app.example/cb' },
    'redirectUris',
    /must be https, or http to 127\.0\.0\.1/,
  ],
  [
    { Name: 'Portal', 'Redirect URIs': 'ftp://app.example/cb' },
    'redirectUris',
    /^Redirect URIs must be https[^.]*127\.0\.0\.1, \[::1\] or localhost[^.]* com\.example\.app:\/cb\.$/,
  ],
  [{ Name: 'Portal', 'Redirect URIs': 'https://app.example/#x' }, 'redirectUris', /must not have a fragment/],
  [{ Name: 'Portal', 'Redirect URIs': 'https://app.example/cb', scopes: [] }, 'scopes', /./],
])('%j is refused at the field %s, and what was typed stays', async (typed, field, message) => {
  const { team, browser, page } = await inTeam(service, 'owner', '/developers/new')
  const refused = await browser.press(page, 'Create app', typed)
  expect([refused.status, wrongOf(refused, field)]).toEqual([422, expect.stringMatching(message)])
  expect(valuesOf(refused).get('redirectUris')).toBe(typed['Redirect URIs'])
  expect(await appsOf(team.id)).toEqual([])
})

test('the form needs a recent sign-in, and is shown again with what was typed after the password', async () => {
  const { team, browser, address } = await inTeam(service, 'owner', '/developers/new')
  const page = await browser.open(address)
  clock.advance(16 * 60_000)
  const asked = await browser.press(page, 'Create app', { Name: 'Portal', kind: 'public', 'Redirect URIs': 'https://app.example/cb' })
  expect([asked.url.pathname, heading(asked)]).toEqual(['/confirm', [200, 'Confirm it’s you']])
  const back = await browser.press(asked, 'Continue', { Password: password })
  expect([back.url.pathname, valuesOf(back).get('name'), await appsOf(team.id)]).toEqual([address, 'Portal', []])
  expect(heading(await browser.press(back, 'Create app'))).toEqual([200, 'Portal'])
})

test('an eleventh app is refused', async () => {
  const { team, browser, page } = await inTeam(service, 'owner', '/developers/new')
  for (let index = 0; index < 10; index++) await createTeamClient(database, team)
  const refused = await browser.press(page, 'Create app', { Name: 'Portal', kind: 'device' })
  expect([alertOf(refused)[0], contentOf(refused), (await appsOf(team.id)).length]).toEqual([422, expect.stringContaining('10'), 10])
})

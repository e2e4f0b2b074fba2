import { describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { alertOf, contentOf, heading, noticeOf, tokenValueOn, valuesOf } from '../../support/account-site/page-content.ts'
import { inTeam } from '../../support/account-site/team.ts'
import { createUser, unique } from '../../support/data/team.ts'
import { createKey } from '../../support/oauth/dpop.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { addSecret } from '../../support/service/secrets/secrets-in-logs.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** An owner at the page of an app of their team. */
async function atApp(options: ClientOptions = {}) {
  const { team, person, browser, address } = await inTeam(service, 'owner', '/developers')
  const client = await createTeamClient(database, team, {
    name: 'Portal',
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: ['https://app.example/callback'],
    requiredScopes: ['openid'],
    optionalScopes: ['acct:team:read', 'email'],
    state: 'draft',
    ...options,
  })
  const path = `${address}/${client.clientId}`
  const row = () => prisma.oAuthClient.findUniqueOrThrow({ where: { id: client.id } })
  return { team, person, browser, client, path, page: await browser.open(path), settings: await browser.open(`${path}/settings`), row }
}

describe('the settings of an app', () => {
  test('are saved unchanged, and as typed', async () => {
    const { browser, settings, row } = await atApp()
    const before = await row()
    expect(noticeOf(await browser.press(settings, 'Save'))).toEqual([200, 'The app was saved.'])
    expect(await row()).toEqual(before)
    const typed = {
      Name: 'Dealer Portal',
      'Redirect URIs': 'https://app.example/callback https://other.example/cb',
      scopes: ['openid', 'email', 'acct:team:read', 'acct:team:members:read'],
      requiredScopes: ['email'],
      grantTypes: ['authorization_code'],
      'Privacy policy (optional)': 'https://app.example/privacy',
      dpopBoundAccessTokens: 'true',
      'Replay window of refresh tokens': '30',
    }
    await browser.press(settings, 'Save', typed)
    expect(await row()).toMatchObject({
      name: 'Dealer Portal',
      redirectUris: ['https://app.example/callback', 'https://other.example/cb'],
      requiredScopes: ['openid', 'email'],
      optionalScopes: ['acct:team:read', 'acct:team:members:read'],
      grantTypes: ['authorization_code'],
      policyUri: 'https://app.example/privacy',
      dpopBoundAccessTokens: true,
      refreshReplaySeconds: 30,
      proposedChanges: null,
    })
  })

  test('that few apps need are folded unless the app uses one of them, or the form was refused', async () => {
    const { browser, settings, path } = await atApp()
    const isOpen = ({ root }: Page) => root.querySelector('details.advanced')?.hasAttribute('open')
    expect([isOpen(settings), isOpen(await browser.press(settings, 'Save', { Name: '' }))]).toEqual([false, true])
    await browser.press(settings, 'Save', { 'Replay window of refresh tokens': '30' })
    expect(isOpen(await browser.open(`${path}/settings`))).toBe(true)
  })

  test('that users trust are reviewed once the app is published, and the page shows the current and the proposed value', async () => {
    const { browser, settings, path, row } = await atApp({ state: 'listed' })
    const typed = { Name: 'Dealer Portal', 'Redirect URIs': 'https://new.example/cb', 'Home page (optional)': 'https://app.example/' }
    expect(noticeOf(await browser.press(settings, 'Save', typed))).toEqual([200, 'The app was saved. Some changes are waiting for review.'])
    expect(await row()).toMatchObject({ name: 'Portal', clientUri: 'https://app.example/', redirectUris: ['https://app.example/callback'] })
    const opened = await browser.open(path)
    const content = contentOf(opened)
    expect(content).toContain('Published Changes in review')
    expect(content).toContain('Name Current Portal Proposed Dealer Portal')
    expect(content).toContain('Redirect URIs Added https://new.example/cb Removed https://app.example/callback')
    const proposed = await browser.open(`${path}/settings`)
    expect(valuesOf(proposed).get('name')).toBe('Dealer Portal')
    await browser.press(proposed, 'Save', { Name: 'Portal', 'Redirect URIs': 'https://app.example/callback' })
    expect((await row()).proposedChanges).toBeNull()
  })

  test('with public keys let the app authenticate without its secret', async () => {
    const { browser, settings, row } = await atApp()
    const { jwk } = createKey('ES256')
    await browser.press(settings, 'Save', {
      'Public keys': JSON.stringify({ keys: [{ ...jwk, kid: 'a', alg: 'ES256' }] }),
      requireKeyAuthentication: 'true',
    })
    expect(await row()).toMatchObject({ requireKeyAuthentication: true, jwks: { keys: [{ kid: 'a' }] } })
    const refused = await browser.press(settings, 'Save', { 'Public keys': '{' })
    expect([refused.status, contentOf(refused)]).toEqual([422, expect.stringContaining('must be a JSON Web Key Set')])
  })
})

test.each([
  ['draft', undefined],
  ['rejected', 'The name says too little.'],
] as const)('an app that is %s is submitted for review', async (state, rejectionReason) => {
  const { browser, page, row } = await atApp({ name: unique('App'), state, rejectionReason: rejectionReason ?? null })
  if (rejectionReason) expect(contentOf(page)).toContain(`The app was rejected: ${rejectionReason}`)
  const submitted = await browser.press(page, 'Submit for review')
  expect(noticeOf(submitted)).toEqual([200, 'The app was submitted. You will get an email when it has been reviewed.'])
  expect([(await row()).state, contentOf(submitted).includes('Submit for review')]).toEqual(['submitted', false])
})

test('an app that only acts for its team needs no review and shows no connections', async () => {
  const { page } = await atApp({ state: 'draft', grantTypes: ['client_credentials'], redirectUris: [] })
  const content = contentOf(page)
  expect(content).toContain('The app acts for this team with its own access. Users do not connect it, so it needs no review.')
  for (const absent of ['Submit for review', 'Connections', 'Try it', 'Draft']) expect(content).not.toContain(absent)
})

test('an app is not submitted if another app with its name was published meanwhile, and the page says why', async () => {
  const name = unique('App')
  const { browser, page, row } = await atApp({ name })
  await atApp({ name, state: 'listed' })
  const refused = await browser.press(page, 'Submit for review')
  expect(alertOf(refused)).toEqual([422, `Name must not be, or look like, that of another app: ${name}.`])
  expect((await row()).state).toBe('draft')
})

test('a secret is rotated: both work until the old one expires, and the new one is shown once', async () => {
  const { browser, client, settings, path } = await atApp({ grantTypes: ['client_credentials'], redirectUris: [], requiredScopes: [] })
  const rotated = await browser.press(settings, 'Rotate secret', { overlapSeconds: '3600' })
  const secret = tokenValueOn(rotated)
  addSecret(secret)
  expect([heading(rotated), rotated.url.search, contentOf(rotated)]).toEqual([
    [200, 'Copy the client secret'],
    '',
    expect.stringContaining('The old secret works until'),
  ])
  const statuses = async () => [
    (await requestMachineToken(service, client)).status,
    (await requestMachineToken(service, { ...client, secret })).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  const again = await browser.press(settings, 'Rotate secret', { overlapSeconds: '3600' })
  expect(alertOf(again)).toEqual([422, 'The secret was already rotated, and the new one is not shown again.'])
  expect((await browser.open(`${path}/settings`)).text).not.toContain(secret)
  service.clock.advance(3_600_000)
  expect(await statuses()).toEqual([401, 200])
})

test('refused requests are explained, and people outside the team are not named', async () => {
  const { person, browser, client, path } = await atApp({ state: 'listed' })
  const stranger = await createUser(database, { name: 'Stranger' })
  const at = service.clock.now()
  for (const { id: userId } of [person, stranger])
    await prisma.oAuthGrant.create({
      data: { userId, oauthClientId: client.id, scopes: ['openid'], expiresAt: new Date(at.getTime() + 1e9), lastUsedAt: at },
    })
  await prisma.authorizationFailure.create({
    data: { oauthClientId: client.id, day: at, lastAt: at, cause: 'redirect_uri', sent: 'https://app.example/cb', count: 2 },
  })
  const page = await browser.open(path)
  expect(contentOf(page)).toContain('redirect_uri was https://app.example/cb, registered is https://app.example/callback 2 times')
  expect(contentOf(page)).toContain('2 accounts have connected the app.')
  expect([page.text.includes('Someone outside the team'), page.text.includes('Stranger'), contentOf(page).includes(person.name)]).toEqual([
    true,
    false,
    true,
  ])
})

test('an app is deleted after a confirmation, with its connections', async () => {
  const { team, browser, client, settings } = await atApp()
  const confirmation = await browser.openConfirmation(settings, 'Delete this app')
  const deleted = await browser.press(confirmation, 'Delete this app')
  expect([deleted.url.pathname, noticeOf(deleted)]).toEqual([`/teams/${team.slug}/developers`, [200, 'The app “Portal” was deleted.']])
  expect(await prisma.oAuthClient.count({ where: { id: client.id } })).toBe(0)
})

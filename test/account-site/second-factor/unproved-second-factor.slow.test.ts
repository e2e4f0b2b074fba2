import { describe, expect, test } from 'vitest'
import { contentOf, enter, heading, secretOn, signedIn } from '../../support/account-site/page-content.ts'
import { optionsOn, sendPasskey, usePasskey } from '../../support/account-site/passkey.ts'
import { factors, giveFactor, passwordSession, prove, unprovedSession } from '../../support/account-site/password-session.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { Browser } from '../../support/browser/browser.ts'
import { totpCode } from '../../support/data/totp.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { request } from '../../support/http/request.ts'
import { authorizationUrl, createClient, createPerson, password, post, signIn } from '../../support/oauth/oauth.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { useService } from '../../support/service/service.ts'

// A session that began with the password alone, before the account got a second factor in another session:
// docs/decisions/accounts.md#what-a-session-has-proved.

const service = useService({ hostname: 'localhost' })
const { database, clock } = service
const { prisma } = database
const confirm = [200, 'Confirm it’s you']

/** A team that requires two-factor authentication, by default at once, and an owner with a session that has not proved it. */
async function inRequiringTeam(factor: (typeof factors)[number] = 'totp', milliseconds = 0) {
  const session = await unprovedSession(service, factor)
  const team = await createTeam(database, { twoFactorRequiredAt: new Date(clock.now().getTime() + milliseconds) })
  await join(database, team, session.user, 'owner')
  const read = `{ team(slug: "${team.slug}") { name } teams { slug } viewer { teamSlugs } }`
  return { ...session, team, read }
}

describe.each(factors)('in a team that requires two-factor authentication, with the factor %s', (factor) => {
  test('the session is refused by GraphQL until it has proved the factor', async () => {
    const { browser, code, team, read } = await inRequiringTeam(factor)
    const refused = await queryInSession(browser, read)
    expect(refused.errors?.map(({ message, extensions }) => [message, extensions.code])).toEqual([
      ['This team requires two-factor authentication. Sign in again with your second factor.', 'recent_sign_in_required'],
    ])
    expect(refused.data).toEqual({ team: null, teams: [], viewer: { teamSlugs: [] } })
    const rename = `mutation { updateTeam(input: { team: "${team.slug}", name: "Evil" }) { team { name } } }`
    expect((await queryInSession(browser, rename)).errors?.[0]?.extensions.code).toBe('recent_sign_in_required')
    expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe(team.name)
    await prove(browser, code)
    const { data } = await queryInSession(browser, read)
    expect(data).toEqual({ team: { name: team.name }, teams: [{ slug: team.slug }], viewer: { teamSlugs: [team.slug] } })
  })

  test('the account site asks the session for the factor, then opens the page', async () => {
    const { browser, code, team } = await inRequiringTeam(factor)
    const path = `/teams/${team.slug}/members`
    const asked = await browser.open(path)
    expect(heading(asked)).toEqual(confirm)
    expect((await browser.open(`/teams/${team.slug}/invoices/export.csv`)).url.pathname).toBe('/confirm')
    const opened = await prove(browser, code, asked)
    expect([opened.status, opened.url.pathname]).toEqual([200, path])
  })

  test('a form that was sent without it is shown again with its values, and nothing is done before', async () => {
    const { browser, code, team } = await inRequiringTeam(factor, 60_000)
    const page = await browser.open(`/teams/${team.slug}/settings`)
    await prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: clock.now() } })
    const asked = await browser.press(page, 'Save', { Name: 'Kept' })
    expect([heading(asked), contentOf(asked)?.includes('What you entered is kept')]).toEqual([confirm, true])
    const shown = await prove(browser, code, asked)
    expect([shown.url.pathname, shown.root.querySelector('#field-name')?.getAttribute('value')]).toEqual([page.url.pathname, 'Kept'])
    const { name } = await prisma.team.findUniqueOrThrow({ where: { id: team.id } })
    expect([name, contentOf(await browser.open('/confirm'))?.includes('What you entered is kept')]).toEqual([team.name, false])
  })

  test('an authorization asks the session to sign in with the factor, then offers the team', async () => {
    const { user, browser, code, team } = await inRequiringTeam(factor)
    const client = await createClient(database, { team: 'required' })
    const silent = await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
    const asked = await browser.open(authorizationUrl(service, client).url)
    expect(heading(asked)).toEqual([200, 'Sign in'])
    const consent = await browser.press(await signIn(browser, asked, user), 'Continue', { code })
    const { url } = await browser.press(consent, 'Allow access')
    expect(url.searchParams.has('code')).toBe(true)
    expect(await prisma.oAuthGrant.findMany({ where: { userId: user.id } })).toMatchObject([{ teamId: team.id }])
    expect(heading(await browser.open(authorizationUrl(service, client).url))).not.toEqual([200, 'Sign in'])
  })
})

test('a device cannot be connected in the session until it has proved the factor', async () => {
  const { user, browser, code } = await unprovedSession(service)
  const client = await createDeviceClient(database)
  const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
  const form = await browser.open('/login/device')
  const asked = await browser.press(form, 'Continue', { Code: device.user_code })
  expect(heading(asked)).toEqual([200, 'Sign in'])
  const consent = await browser.press(await signIn(browser, asked, user), 'Continue', { code })
  expect(heading(await browser.press(consent, 'Allow access'))).toEqual([200, 'Device connected'])
})

test('the session has access during the grace period, and sees a banner that leads to the confirmation', async () => {
  const { browser, code, team, read } = await inRequiringTeam('passkey', 60_000)
  expect((await queryInSession(browser, read)).data.team).toEqual({ name: team.name })
  const page = await browser.open(`/teams/${team.slug}/members`)
  expect(contentOf(page)).toContain('You signed in here without it.')
  expect(page.root.querySelector('.banner a')?.getAttribute('href')).toMatch(/^\/confirm\?/)
  clock.advance(60_000)
  expect((await queryInSession(browser, read)).data.team).toBeNull()
  await prove(browser, code)
  expect((await queryInSession(browser, read)).data.team).toEqual({ name: team.name })
})

test('tokens and grants of the user keep their access: of them only the account is asked', async () => {
  const { user, team } = await inRequiringTeam()
  const tokens = [await personalToken(database, user), await accessToken(database, await createGrant(database, user))]
  for (const token of tokens) expect((await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token })).status).toBe(200)
})

describe('a session has proved two factors', () => {
  /** Whether it may read a team that requires them and create a token, which requires a recent sign-in. */
  async function rightsOf(browser: Browser, { id }: { id: string }) {
    const team = await createTeam(database, { twoFactorRequiredAt: new Date(0) })
    await prisma.member.create({
      data: { teamId: team.id, userId: id, role: 'owner', joinedAt: clock.now(), allApplications: true, applications: [] },
    })
    const create = `mutation { createTeamToken(input: { team: "${team.slug}", name: "x", scopes: ["teams"] }) { token { name } } }`
    return (await queryInSession(browser, create)).errors?.[0]?.extensions.code ?? 'all'
  }

  test('if the user turned them on in it, with an authenticator app', async () => {
    const { user, browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    expect(await rightsOf(browser, user)).toBe('all')
  })

  test('if the user turned them on in it, with a passkey, and another session once it has used the passkey', async () => {
    const { user, browser } = await signedIn(service)
    const other = await passwordSession(service, user)
    const authenticator = new Authenticator(service.url)
    const form = await browser.open('/security/passkeys/new')
    await sendPasskey(browser, form, authenticator.register(optionsOn(form)), { name: 'Laptop', endOtherSessions: 'false' })
    expect(await rightsOf(other, user)).toBe('two_factor_required')
    await browser.press(await browser.open('/security/two-factor'), 'Use my passkeys as the second step', { endOtherSessions: [] })
    expect([await rightsOf(browser, user), await rightsOf(other, user)]).toEqual(['all', 'recent_sign_in_required'])
    await usePasskey(other, await other.open('/confirm'), authenticator)
    expect(await rightsOf(other, user)).toBe('all')
  })

  test.each(factors)('if it began with a code: %s', async (factor) => {
    const { user, code } = await unprovedSession(service, factor)
    const browser = new Browser(service.url)
    await browser.press(await enter(browser, user), 'Continue', { code })
    expect(await rightsOf(browser, user)).toBe('all')
  })

  test('not if they were turned off and on again since, in another session', async () => {
    const { user, browser, code } = await unprovedSession(service)
    await prove(browser, code)
    const other = new Browser(service.url)
    await other.press(await enter(other, user), 'Continue', { code: await giveFactor(service, user, 'totp') })
    expect([await rightsOf(browser, user), await rightsOf(other, user)]).toEqual(['all', 'all'])
    await browser.press(await browser.open('/security/two-factor'), 'Turn off two-factor authentication', { endOtherSessions: [] })
    expect([await rightsOf(browser, user), await rightsOf(other, user)]).toEqual(['two_factor_required', 'two_factor_required'])
    await giveFactor(service, user, 'totp')
    expect([await rightsOf(browser, user), await rightsOf(other, user)]).toEqual(['recent_sign_in_required', 'recent_sign_in_required'])
  })

  test('not if another user proved them in the same browser before', async () => {
    const { user, browser, code } = await unprovedSession(service)
    await prove(browser, code)
    const next = await createPerson(database)
    await enter(browser, next)
    await giveFactor(service, next, 'totp')
    expect([await rightsOf(browser, next), (await prisma.session.findMany({ where: { userId: user.id } })).length]).toEqual([
      'recent_sign_in_required',
      0,
    ])
  })

  test('not after a confirmation with the password alone, while the code is still missing', async () => {
    const { user, browser } = await unprovedSession(service)
    await browser.press(await browser.open('/confirm'), 'Continue', { Password: password })
    expect(await rightsOf(browser, user)).toBe('recent_sign_in_required')
  })
})

import { describe, expect, test } from 'vitest'
import { beginAt, copyCookies, formOf, interactionOf, isSignedIn } from '../../../support/oauth/authorization.ts'
import { Browser } from '../../../support/browser/browser.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../../../support/oauth/oauth.ts'
import type { ClientOptions, TestClient } from '../../../support/oauth/oauth.ts'
import { useService } from '../../../support/service/service.ts'
import { createTeam, join } from '../../../support/data/team.ts'

const service = useService()
const { database } = service
const begin = (client: TestClient) => beginAt(service, client, { scope: 'openid teams' })

describe('the sign-in form', () => {
  test('with a missing CSRF token, the token of another interaction or from another site does not sign in', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    const attacker = await begin(client)
    const attackerToken = formOf(attacker.page, 'Sign in').values.get('csrf') ?? ''
    expect(attackerToken).not.toBe('')
    for (const token of [attackerToken, '', 'nonsense']) {
      const victim = await begin(client)
      const { action, values } = formOf(victim.page, 'Sign in')
      const names = [...values.keys()]
      const body = new URLSearchParams([
        ...[...values].filter(([name]) => name !== 'csrf' && values.get(name) !== ''),
        ...names.filter((name) => /mail/.test(name)).map((name) => [name, user.email]),
        ...names.filter((name) => /password/.test(name)).map((name) => [name, password]),
        ['csrf', token],
      ])
      const rejected = await victim.browser.send(victim.page, action, body)
      expect([rejected.status, rejected.url.origin]).toEqual([403, service.url])
      expect(await isSignedIn(service, victim.browser)).toBe(false)
    }
    const victim = await begin(client)
    victim.browser.headers = { 'sec-fetch-site': 'cross-site' }
    expect((await signIn(victim.browser, victim.page, user)).status).toBe(403)
  })

  test('works only in the browser that started the interaction', async () => {
    const { page } = await begin(await createClient(database))
    const user = await createPerson(database)
    const otherBrowser = new Browser(service.url)
    expect((await otherBrowser.open(interactionOf(page))).status).toBe(400)
    expect((await signIn(otherBrowser, page, user)).status).toBe(403)
    expect(await isSignedIn(service, otherBrowser)).toBe(false)
    expect((await otherBrowser.open(page.url)).status).toBe(400)
    expect(await database.prisma.oAuthGrant.count({ where: { userId: user.id } })).toBe(0)
  })

  test('shows the same response for an unknown email address, a wrong password, a disabled user and a user without a password', async () => {
    const client = await createClient(database)
    const texts = new Set<string>()
    const users = [
      { ...(await createPerson(database)), email: 'nobody@example.test' },
      await createPerson(database, { disabledAt: new Date() }),
      await createPerson(database, { passwordHash: null }),
    ]
    for (const user of users) {
      const { browser, page } = await begin(client)
      const rejected = await signIn(browser, page, user)
      expect([rejected.status, rejected.root.querySelector('[role=alert]')?.text]).toEqual([
        422,
        'The email address or password is incorrect.',
      ])
      texts.add(`${rejected.status} ${rejected.text}`)
    }
    const { browser, page } = await begin(client)
    const wrong = await signIn(browser, page, await createPerson(database), 'wrong password')
    texts.add(`${wrong.status} ${wrong.text}`)
    expect(texts.size).toBe(1)
  })

  test('starts a new session, so that an attacker who planted a session cookie is not signed in', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    const { browser, page } = await begin(client)
    const attacker = new Browser(service.url)
    copyCookies(browser, attacker)
    const consent = await signIn(browser, page, user)
    await browser.press(consent, 'Allow access')
    expect(await isSignedIn(service, browser)).toBe(true)
    expect(await isSignedIn(service, attacker)).toBe(false)
  })
})

describe('the consent form', () => {
  async function openConsent(options: ClientOptions = {}) {
    const user = await createPerson(database)
    const team = await createTeam(database)
    await join(database, team, user, 'owner')
    const client = await createClient(database, { team: 'required', ...options })
    const { browser, page, state } = await begin(client)
    return { user, team, client, browser, state, consent: await signIn(browser, page, user) }
  }
  const countGrants = (userId: string) => database.prisma.oAuthGrant.count({ where: { userId } })

  test('with a team or scope that was not offered, no team, or the CSRF token of another form creates no grant', async () => {
    const foreignTeam = await createTeam(database)
    const other = await openConsent()
    const changes: [number, string, string][] = [
      [403, 'team', foreignTeam.slug],
      [403, 'team', other.team.slug],
      [403, 'team', 'no-such-team'],
      [403, 'team', '*'],
      [422, 'team', ''],
      [403, 'scope', 'acct:team:read'],
      [403, 'scope', 'acct:team:write'],
      [403, 'csrf', formOf(other.consent, 'Allow access').values.get('csrf') ?? ''],
      [403, 'csrf', ''],
    ]
    for (const [status, name, value] of changes) {
      const { user, browser, consent } = await openConsent()
      const { action, values } = formOf(consent, 'Allow access')
      if (name === 'scope') values.append(name, value)
      else values.set(name, value)
      const rejected = await browser.send(consent, action, values)
      expect([name, value, rejected.url.origin, rejected.status]).toEqual([name, value, service.url, status])
      expect(await countGrants(user.id)).toBe(0)
    }
  })

  test.each([
    ['without a team field', []],
    ['with the same team twice', ['own', 'own']],
    ['with an empty team and a team', ['', 'own']],
  ])('%s creates no grant when the team is optional', async (_, slugs) => {
    const { user, team, browser, consent } = await openConsent({ team: 'optional' })
    const { action, values } = formOf(consent, 'Allow access')
    values.delete('team')
    for (const value of slugs) values.append('team', value && team.slug)
    expect((await browser.send(consent, action, values)).status).toBe(403)
    expect(await countGrants(user.id)).toBe(0)
  })

  test('with a team creates no grant for a client that uses no team', async () => {
    const { user, team, browser, consent } = await openConsent({ team: 'none' })
    const { action, values } = formOf(consent, 'Allow access')
    values.set('team', team.slug)
    expect((await browser.send(consent, action, values)).status).toBe(403)
    expect(await countGrants(user.id)).toBe(0)
  })

  test('of one user creates no grant in the session of another user', async () => {
    const first = await openConsent()
    const second = await openConsent()
    const { action, values } = formOf(first.consent, 'Allow access')
    const rejected = await second.browser.send(second.consent, action, values)
    expect([rejected.url.origin, rejected.status]).toEqual([service.url, 400])
    expect([await countGrants(first.user.id), await countGrants(second.user.id)]).toEqual([0, 0])
  })

  test('can be submitted once and creates no grant for another team afterwards', async () => {
    const { user, team, browser, consent } = await openConsent()
    const second = await createTeam(database)
    await join(database, second, user, 'owner')
    const { action, values } = formOf(consent, 'Allow access')
    const reopened = await browser.open(consent.url)
    const allowed = await browser.press(reopened, 'Allow access', { Team: team.slug })
    expect(allowed.url.searchParams.has('code')).toBe(true)
    values.set('team', second.slug)
    expect((await browser.send(consent, action, values)).status).toBe(400)
    expect(await countGrants(user.id)).toBe(1)
  })

  test('is rejected when the user left the team before submitting it', async () => {
    const { user, team, browser, consent } = await openConsent()
    await join(database, team, await createPerson(database), 'owner')
    await database.prisma.member.deleteMany({ where: { userId: user.id } })
    const rejected = await browser.press(consent, 'Allow access', { Team: team.slug })
    expect([rejected.url.origin, rejected.status, rejected.root.querySelector('h1')?.text]).toEqual([
      service.url,
      409,
      'Example App needs a team',
    ])
    expect(await countGrants(user.id)).toBe(0)
  })

  test('of each of two authorizations in one browser returns to the client with its own state', async () => {
    const { client, browser, consent, state } = await openConsent()
    const second = authorizationUrl(service, client, { scope: 'openid teams' })
    const secondConsent = await browser.open(second.url)
    expect((await browser.press(secondConsent, 'Allow access')).url.searchParams.get('state')).toBe(second.state)
    expect((await browser.press(consent, 'Allow access')).url.searchParams.get('state')).toBe(state)
  })
})

import { describe, expect, test } from 'vitest'
import { beginAt, formOf, interactionOf, isSignedIn } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'

const service = await startService()
const { database } = service
const begin = (client: TestClient) => beginAt(service, client, { scope: 'openid teams' })

describe('the sign-in form', () => {
  test('of another interaction, or without its token, or sent by another site signs nobody in', async () => {
    const client = await createClient(database)
    const person = await createPerson(database)
    const attacker = await begin(client)
    const foreign = formOf(attacker.page, 'Sign in').values.get('csrf') ?? ''
    expect(foreign).not.toBe('')
    for (const token of [foreign, '', 'nonsense']) {
      const victim = await begin(client)
      const { action, values } = formOf(victim.page, 'Sign in')
      const names = [...values.keys()]
      const filled = new URLSearchParams([
        ...[...values].filter(([name]) => name !== 'csrf' && values.get(name) !== ''),
        ...names.filter((name) => /mail/.test(name)).map((name) => [name, person.email]),
        ...names.filter((name) => /password/.test(name)).map((name) => [name, password]),
        ['csrf', token],
      ])
      const refused = await victim.browser.send(victim.page, action, filled)
      expect([refused.status, refused.url.origin]).toEqual([403, service.url])
      expect(await isSignedIn(service, victim.browser)).toBe(false)
    }
    const victim = await begin(client)
    victim.browser.headers = { 'sec-fetch-site': 'cross-site' }
    expect((await signIn(victim.browser, victim.page, person)).status).toBe(403)
  })

  test('belongs to the browser that began: another one is told to begin again', async () => {
    const { page } = await begin(await createClient(database))
    const person = await createPerson(database)
    const stranger = new Browser(service.url)
    expect((await stranger.open(interactionOf(page))).status).toBe(400)
    expect((await signIn(stranger, page, person)).status).toBe(403)
    expect(await isSignedIn(service, stranger)).toBe(false)
    expect((await signIn(stranger, await stranger.open(page.url), person)).status).toBe(400)
    expect(await database.prisma.oAuthGrant.count({ where: { userId: person.id } })).toBe(0)
  })

  test('answers alike for an unknown address, a wrong password, a disabled person and one without a password', async () => {
    const client = await createClient(database)
    const texts = new Set<string>()
    const people = [
      { ...(await createPerson(database)), email: 'nobody@example.test' },
      await createPerson(database, { disabledAt: new Date() }),
      await createPerson(database, { passwordHash: null }),
    ]
    for (const person of people) {
      const { browser, page } = await begin(client)
      const refused = await signIn(browser, page, person)
      expect([refused.status, refused.root.querySelector('[role=alert]')?.text]).toEqual([
        422,
        'The email address or password is not right.',
      ])
      texts.add(`${refused.status} ${refused.text}`)
    }
    const { browser, page } = await begin(client)
    const wrong = await signIn(browser, page, await createPerson(database), 'wrong password')
    texts.add(`${wrong.status} ${wrong.text}`)
    expect(texts.size).toBe(1)
  })

  test('gives the browser a new session: one that was planted before is not signed in', async () => {
    const client = await createClient(database)
    const person = await createPerson(database)
    const { browser, page } = await begin(client)
    const planted = new Browser(service.url)
    for (const [name, cookie] of browser.cookies) planted.cookies.set(name, cookie)
    const consent = await signIn(browser, page, person)
    await browser.press(consent, 'Allow access')
    expect(await isSignedIn(service, browser)).toBe(true)
    expect(await isSignedIn(service, planted)).toBe(false)
  })
})

describe('the consent form', () => {
  async function atConsent(options: Parameters<typeof createClient>[1] = {}) {
    const person = await createPerson(database)
    const own = await createTeam(database)
    await join(database, own, person, 'owner')
    const client = await createClient(database, { team: 'required', ...options })
    const { browser, page, state } = await begin(client)
    return { person, own, client, browser, state, consent: await signIn(browser, page, person) }
  }
  const grants = (userId: string) => database.prisma.oAuthGrant.count({ where: { userId } })

  test('sent with another team than offered, another scope, or the token of another form grants nothing', async () => {
    const foreign = await createTeam(database)
    const other = await atConsent()
    const swaps: [number, string, string][] = [
      [403, 'team', foreign.slug],
      [403, 'team', other.own.slug],
      [403, 'team', 'no-such-team'],
      [403, 'team', ''],
      [403, 'scope', 'acct:team:read'],
      [403, 'scope', 'acct:team:write'],
      [403, 'csrf', formOf(other.consent, 'Allow access').values.get('csrf') ?? ''],
      [403, 'csrf', ''],
    ]
    for (const [status, name, value] of swaps) {
      const { person, browser, consent } = await atConsent()
      const { action, values } = formOf(consent, 'Allow access')
      if (name === 'scope') values.append(name, value)
      else values.set(name, value)
      const refused = await browser.send(consent, action, values)
      expect([name, value, refused.url.origin, refused.status]).toEqual([name, value, service.url, status])
      expect(await grants(person.id)).toBe(0)
    }
  })

  test.each([
    ['left out', []],
    ['named twice', ['own', 'own']],
    ['none, and one', ['', 'own']],
  ])('with the team %s grants nothing, where none in particular could have been chosen', async (_, teams) => {
    const { person, own, browser, consent } = await atConsent({ team: 'optional' })
    const { action, values } = formOf(consent, 'Allow access')
    values.delete('team')
    for (const team of teams) values.append('team', team && own.slug)
    expect((await browser.send(consent, action, values)).status).toBe(403)
    expect(await grants(person.id)).toBe(0)
  })

  test('for a client of no team grants nothing with one', async () => {
    const { person, own, browser, consent } = await atConsent({ team: 'none' })
    const { action, values } = formOf(consent, 'Allow access')
    values.set('team', own.slug)
    expect((await browser.send(consent, action, values)).status).toBe(403)
    expect(await grants(person.id)).toBe(0)
  })

  test('of one person grants nothing in the session of another', async () => {
    const one = await atConsent()
    const two = await atConsent()
    const { action, values } = formOf(one.consent, 'Allow access')
    const refused = await two.browser.send(two.consent, action, values)
    expect([refused.url.origin, refused.status]).toEqual([service.url, 400])
    expect([await grants(one.person.id), await grants(two.person.id)]).toEqual([0, 0])
  })

  test('is good once: sent again, for another team too, it grants nothing more', async () => {
    const { person, own, browser, consent } = await atConsent()
    const second = await createTeam(database)
    await join(database, second, person, 'owner')
    const { action, values } = formOf(consent, 'Allow access')
    const shown = await browser.open(consent.url)
    const allowed = await browser.press(shown, 'Allow access', { Team: own.slug })
    expect(allowed.url.searchParams.has('code')).toBe(true)
    values.set('team', second.slug)
    expect((await browser.send(consent, action, values)).status).toBe(400)
    expect(await grants(person.id)).toBe(1)
  })

  test('offers only what the person has at the moment it is sent', async () => {
    const { person, own, browser, consent } = await atConsent()
    await join(database, own, await createPerson(database), 'owner')
    await database.prisma.member.deleteMany({ where: { userId: person.id } })
    const refused = await browser.press(consent, 'Allow access', { Team: own.slug })
    expect([refused.url.origin, refused.status, refused.root.querySelector('h1')?.text]).toEqual([service.url, 409, 'You are in no team'])
    expect(await grants(person.id)).toBe(0)
  })

  test('two in one browser go each to its own state', async () => {
    const { client, browser, consent, state } = await atConsent()
    const second = authorizationUrl(service, client, { scope: 'openid teams' })
    const secondConsent = await browser.open(second.url)
    expect((await browser.press(secondConsent, 'Allow access')).url.searchParams.get('state')).toBe(second.state)
    expect((await browser.press(consent, 'Allow access')).url.searchParams.get('state')).toBe(state)
  })
})

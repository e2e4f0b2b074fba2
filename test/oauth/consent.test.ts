import { describe, expect, test } from 'vitest'
import { formOf } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { authorizationUrl, createClient, createPerson, signIn } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database

/** A person in two teams, at the consent page of a client that asks for these scopes. */
async function atConsent(options: Parameters<typeof createClient>[1] = {}, scope = 'openid teams acct:team:members:read') {
  const person = await createPerson(database)
  const client = await createClient(database, options)
  const teams = [await createTeam(database, { name: 'First' }), await createTeam(database, { name: 'Second' })] as const
  for (const team of teams) await join(database, team, person, 'member')
  const browser = new Browser(service.url)
  const page = await signIn(browser, await browser.open(authorizationUrl(service, client, { scope }).url), person)
  const again = () => browser.open(authorizationUrl(service, client, { scope, prompt: 'consent' }).url)
  return { person, client, teams, browser, page, again }
}

/** The consent form as it stands, sent by Allow access. */
function allowing(page: Page) {
  const { action, values } = formOf(page, 'Deny')
  values.set('decision', 'allow')
  return { action, values }
}
const grantsOf = (userId: string) =>
  prisma.oAuthGrant.findMany({
    where: { userId },
    select: { teamId: true, scopes: true, declinedScopes: true },
    orderBy: { createdAt: 'asc' },
  })
const boxes = (page: Page) =>
  page.root.querySelectorAll('input[type=checkbox]').map((box) => [box.getAttribute('value'), box.hasAttribute('checked')])
const options = (page: Page) => page.root.querySelectorAll('select[name=team] option').map((option) => option.getAttribute('value'))
const selected = (page: Page) => page.root.querySelector('select[name=team] option[selected]')?.getAttribute('value')
const refused = [403, 'This form cannot be accepted']
const heading = (page: Page) => [page.status, page.root.querySelector('h1')?.text]
const codeAt = ({ url }: Page) => url.origin === 'https://app.example' && url.searchParams.has('code')

describe('the consent page', () => {
  test('says who asks, whom, for what, and where it leads', async () => {
    const { person, page } = await atConsent(
      { name: 'Ledger', description: 'Keeps books.', requiredScopes: ['teams'], optionalScopes: ['openid', 'email'] },
      'email openid teams',
    )
    for (const words of ['Ledger asks for access', 'Keeps books.', `Signed in as ${person.email}`, 'You will be sent to app.example.'])
      expect(page.text).toContain(words)
    // In the order of the catalogue; `openid` cannot be declined by anybody.
    expect(page.root.querySelectorAll('main ul li').map(({ text }) => text)).toEqual(['see your teams and their names', 'know who you are'])
    expect(page.root.querySelectorAll('.choice').map(({ text }) => text.trim())).toEqual(['see your email address'])
    expect([boxes(page), options(page)]).toEqual([[['email', true]], []])
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example; frame-ancestors 'none'")
  })

  test.each([
    ['optional', ['']],
    ['required', []],
  ] as const)('offers the person’s teams where one is %s, and writes the one chosen', async (team, first) => {
    const { person, teams, browser, page } = await atConsent({ team })
    const slugs = teams.map(({ slug }) => slug).toSorted()
    expect(options(page)).toEqual([...first, ...slugs])
    expect(selected(page)).toBe(first[0] ?? slugs[0])
    const callback = await browser.press(page, 'Allow access', { Team: teams[1].slug, scope: ['teams'] })
    expect(codeAt(callback)).toBe(true)
    expect(await grantsOf(person.id)).toEqual([
      { teamId: teams[1].id, scopes: expect.arrayContaining(['openid', 'teams']), declinedScopes: ['acct:team:members:read'] },
    ])
  })

  test.each([
    ['Safe \u202E', 'Safe'],
    ['צוות', '\u2068צוות\u2069'],
  ])('names a team %j without turning its slug round', async (name, shown) => {
    const { teams, again } = await atConsent({ team: 'required' })
    const [{ id, slug }] = teams
    await database.prisma.team.update({ where: { id }, data: { name } })
    const texts = (await again()).root.querySelectorAll('select[name=team] option').map(({ text }) => text)
    expect(texts).toContain(`${shown} (${slug})`)
  })

  test('of a native client says which application comes next, and lets its form lead there', async () => {
    const { person, browser, page } = await atConsent({ confidential: false, redirectUris: ['com.example.app:/callback'] })
    expect(page.text).toContain('You will be sent to com.example.app.')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;")
    expect((await browser.press(page, 'Allow access')).url.href).toMatch(/^com\.example\.app:\/callback\?code=/)
    expect((await grantsOf(person.id)).length).toBe(1)
  })

  test('comes the next time as it was answered the last', async () => {
    const { teams, browser, page, again } = await atConsent({ team: 'optional' })
    await browser.press(page, 'Allow access', { Team: teams[1].slug, scope: ['teams'] })
    const second = await again()
    expect([selected(second), boxes(second)]).toEqual([
      teams[1].slug,
      [
        ['teams', true],
        ['acct:team:members:read', false],
      ],
    ])
  })

  test('has nothing but Deny for somebody in no team where one is required', async () => {
    const { person, teams, browser, page, again } = await atConsent({ team: 'required' })
    await prisma.member.deleteMany({ where: { userId: person.id } })
    const none = await again()
    expect([none.status, none.root.querySelector('h1')?.text]).toEqual([200, 'You are in no team'])
    expect(none.root.querySelectorAll('button').map(({ text }) => text)).toEqual(['Use another account', 'Deny'])
    const { action, values } = allowing(none)
    for (const team of ['', teams[0].slug]) {
      values.set('team', team)
      expect(heading(await browser.send(none, action, values))).toEqual(refused)
    }
    expect((await browser.press(none, 'Deny')).url.searchParams.get('error')).toBe('access_denied')
    // What was shown before is not what there is now.
    expect(heading(await browser.send(page, allowing(page).action, allowing(page).values))).toEqual([409, 'You are in no team'])
    expect(await grantsOf(person.id)).toEqual([])
  })
})

describe('a consent form', () => {
  test.each([
    ['a team that the person is not in', (values: URLSearchParams, other: string) => values.set('team', other)],
    ['no team where none was offered', (values: URLSearchParams) => values.set('team', '')],
    ['a team that nobody has', (values: URLSearchParams) => values.set('team', 'no\0team')],
    ['a scope that was not asked for', (values: URLSearchParams) => values.append('scope', 'acct:team:read')],
    ['a required scope', (values: URLSearchParams) => values.append('scope', 'openid')],
    ['a scope that there is not', (values: URLSearchParams) => values.append('scope', 'toString')],
    ['no decision', (values: URLSearchParams) => values.delete('decision')],
    ['two decisions', (values: URLSearchParams) => values.append('decision', 'deny')],
  ])('with %s is refused, and nothing is granted', async (_, change) => {
    const { person, browser, page } = await atConsent({ team: 'required' })
    const { action, values } = allowing(page)
    change(values, (await createTeam(database)).slug)
    expect(heading(await browser.send(page, action, values))).toEqual(refused)
    expect(await grantsOf(person.id)).toEqual([])
  })

  test('is not taken for another team once it was sent', async () => {
    const { person, teams, browser, page, again } = await atConsent({ team: 'required' })
    const { values: first } = allowing(page)
    expect(codeAt(await browser.press(page, 'Allow access', { Team: teams[0].slug }))).toBe(true)
    first.set('team', teams[1].slug)
    expect((await browser.send(page, allowing(page).action, first)).status).toBe(400)
    const second = await again()
    expect(heading(await browser.send(second, allowing(second).action, first))).toEqual(refused)
    expect((await grantsOf(person.id)).map(({ teamId }) => teamId)).toEqual([teams[0].id])
  })

  test.each([
    [
      'the person left a team',
      ({ teams, person }: Given) => prisma.member.delete({ where: { teamId_userId: { teamId: teams[0].id, userId: person.id } } }),
    ],
    ['a team has another name', ({ teams }: Given) => prisma.team.update({ where: { id: teams[0].id }, data: { name: 'Renamed' } })],
    [
      'the client has another name',
      ({ client }: Given) => prisma.oAuthClient.update({ where: { id: client.id }, data: { name: 'Renamed' } }),
    ],
    [
      'a scope is required now',
      ({ client }: Given) => prisma.oAuthClient.update({ where: { id: client.id }, data: { requiredScopes: ['openid', 'teams'] } }),
    ],
  ])('is shown anew when meanwhile %s, and then taken', async (_, happens) => {
    const given = await atConsent({ team: 'optional' })
    const { person, browser, page } = given
    await happens(given)
    const anew = await browser.press(page, 'Allow access', { Team: given.teams[0].slug })
    expect([anew.status, anew.root.querySelector('[role=alert]')?.text]).toEqual([
      409,
      'Something has changed meanwhile. Look at it again.',
    ])
    expect(await grantsOf(person.id)).toEqual([])
    expect(codeAt(await browser.press(anew, 'Allow access', { Team: given.teams[1].slug }))).toBe(true)
    expect((await grantsOf(person.id)).map(({ teamId }) => teamId)).toEqual([given.teams[1].id])
  })

  test('in which everything is declined is a denial', async () => {
    const { person, browser, page } = await atConsent({ requiredScopes: [] }, 'teams acct:team:members:read')
    const denied = await browser.press(page, 'Allow access', { scope: [] })
    expect(denied.url.searchParams.get('error')).toBe('access_denied')
    expect(await grantsOf(person.id)).toEqual([])
  })
})

type Given = Awaited<ReturnType<typeof atConsent>> & { client: TestClient }

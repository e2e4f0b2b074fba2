import { describe, expect, test } from 'vitest'
import { contentOf, enter, heading, noticeOf, openAs } from '../../support/account-site/page-content.ts'
import type { Browser, Page } from '../../support/browser/browser.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'
import { subscribe } from '../../support/graphql/team-events.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { request } from '../../support/http/request.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

// An owner ends the sessions of a member in the team: docs/decisions/permissions.md#sessions-of-members.

const service = useService({ streamIntervalMilliseconds: 100 })
const { database, mails } = service
const { prisma } = database
const signInAgain = [200, 'Sign in again to open this team']

const linkTo = ({ root }: Page, text: string) => root.querySelectorAll('main a').find((link) => link.text.includes(text))

/** A team with an owner on the page of the member Ben, who is signed in in two browsers and is a member of another team. */
async function createScene() {
  const team = await createTeam(database, { name: 'Acme' })
  const other = await createTeam(database, { name: 'Globex' })
  const [owner, ben] = [await createPerson(database, { name: 'Olga' }), await createPerson(database, { name: 'Ben' })]
  await join(database, team, owner, 'owner')
  for (const each of [team, other]) await join(database, each, ben, 'owner')
  const browsers = [(await openAs(service, ben, '/security')).browser, (await openAs(service, ben, '/security')).browser] as const
  const { browser: ofOwner, page } = await openAs(service, owner, `/teams/${team.slug}/members/${ben.id}`)
  const end = async () => {
    const asked = await ofOwner.open(page.url.pathname + linkTo(page, 'End sessions…')?.getAttribute('href'))
    return ofOwner.press(asked, 'End sessions')
  }
  return { team, other, owner, ben, browsers, ofOwner, page, end }
}

/** Whether pages and GraphQL let the session open the team, and the teams that they list. */
async function accessOf(browser: Browser, { slug }: { slug: string }) {
  const document = `{ team(slug: "${slug}") { name } teams { slug } viewer { teamSlugs } }`
  const { data, errors } = await queryInSession(browser, document)
  const code = errors?.[0]?.extensions.code ?? 'open'
  const page = await browser.open(`/teams/${slug}/members`)
  const listed = data.teams.map((each: { slug: string }) => each.slug)
  expect(data.viewer.teamSlugs).toEqual(listed)
  return { code, heading: heading(page), listed }
}

const confirmIn = async (browser: Browser, path: string) => browser.press(await browser.open(path), 'Continue', { Password: password })

describe('an owner who ends the sessions of a member', () => {
  test('closes the team to each session at its next request, until the member signs in again in it', async () => {
    const { team, other, browsers, end } = await createScene()
    const [first, second] = browsers
    for (const browser of browsers) expect(await accessOf(browser, team)).toMatchObject({ code: 'open', heading: [200, 'Members'] })
    expect(noticeOf(await end())).toEqual([200, 'The sessions of Ben in the team were ended.'])
    for (const browser of browsers) {
      expect(await accessOf(browser, team)).toEqual({ code: 'recent_sign_in_required', heading: signInAgain, listed: [other.slug] })
      expect(heading(await browser.open(`/teams/${other.slug}/members`))).toEqual([200, 'Members'])
    }
    const opened = await confirmIn(first, `/teams/${team.slug}/members`)
    expect([opened.status, opened.url.pathname]).toEqual([200, `/teams/${team.slug}/members`])
    expect(await accessOf(first, team)).toMatchObject({ code: 'open', listed: expect.arrayContaining([team.slug, other.slug]) })
    expect(await accessOf(second, team)).toMatchObject({ code: 'recent_sign_in_required', listed: [other.slug] })
  })

  test('tells the member by email, and the audit log says it', async () => {
    const { team, ben, ofOwner, end } = await createScene()
    mails.length = 0
    await end()
    expect(mails).toMatchObject([{ kind: 'sessions-ended-in-team', userId: ben.id, data: { team: 'Acme', slug: team.slug } }])
    expect(contentOf(await ofOwner.open(`/teams/${team.slug}/audit-trail`))).toContain('ended the sessions of Ben in the team')
  })

  test('does not end the account: it says where the member is still signed in, and the list of teams leads to the sign-in', async () => {
    const { team, browsers, end } = await createScene()
    await end()
    const page = await browsers[0].open('/account/teams')
    expect(linkTo(page, 'Sign in again')?.getAttribute('href')).toBe(`/confirm?return_to=${encodeURIComponent(`/teams/${team.slug}`)}`)
    const asked = await browsers[0].open(`/teams/${team.slug}`)
    expect(contentOf(asked)).toContain('An owner of the team Acme ended your sessions in it. You are still signed in as')
    expect(heading(await browsers[0].open('/security'))).toEqual([200, 'Sign-in and security'])
  })

  test('leaves personal tokens and connected apps their access', async () => {
    const { team, ben, end } = await createScene()
    const grant = await createGrant(database, ben, { team, scopes: ['acct:team:members:read'] })
    const tokens = [await personalToken(database, ben), await accessToken(database, grant)]
    await end()
    for (const token of tokens) expect((await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token })).status).toBe(200)
  })

  test('does not see in which browsers and from which addresses the member is signed in', async () => {
    const { page } = await createScene()
    const { address } = await prisma.session.findFirstOrThrow()
    expect(contentOf(page)).toContain('You cannot see in which browsers a member is signed in.')
    expect(page.text).not.toContain(address)
  })

  test('is led to the own sessions on the own page', async () => {
    const { team, owner, ofOwner } = await createScene()
    const page = await ofOwner.open(`/teams/${team.slug}/members/${owner.id}`)
    expect(linkTo(page, 'End sessions…')).toBeUndefined()
    expect(linkTo(page, 'See and end your own sessions')?.getAttribute('href')).toBe('/security/sessions')
  })
})

describe('a session that an owner has ended', () => {
  test('cannot create what outlives it: a token needs another sign-in', async () => {
    const { browsers, end } = await createScene()
    const create =
      'mutation { createPersonalToken(input: { name: "Laptop", scopes: ["teams"], expiresAt: "2099-01-01T00:00:00Z" }) { token { name } } }'
    await end()
    expect((await queryInSession(browsers[0], create)).errors?.[0]?.extensions.code).toBe('recent_sign_in_required')
    await confirmIn(browsers[0], '/confirm')
    expect((await queryInSession(browsers[0], create)).errors?.[0]?.extensions.code).not.toBe('recent_sign_in_required')
  })

  test.each(['required', 'optional', 'none'] as const)('connects an app whose team is %s only after another sign-in', async (ofTeam) => {
    const { ben, browsers, end } = await createScene()
    const client = await createClient(database, { team: ofTeam })
    await end()
    const silent = await browsers[0].open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
    const asked = await browsers[0].open(authorizationUrl(service, client).url)
    expect(heading(asked)).toEqual([200, 'Sign in'])
    expect(contentOf(await signIn(browsers[0], asked, ben))).toContain('Allow access')
  })

  test('keeps what was entered in a form of the team until the sign-in', async () => {
    const { team, browsers, end } = await createScene()
    const page = await browsers[0].open(`/teams/${team.slug}/settings`)
    await end()
    const asked = await browsers[0].press(page, 'Save', { Name: 'Kept' })
    expect([heading(asked), contentOf(asked).includes('What you entered is kept')]).toEqual([signInAgain, true])
    const shown = await browsers[0].press(asked, 'Continue', { Password: password })
    expect(shown.root.querySelector('#field-name')?.getAttribute('value')).toBe('Kept')
    expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe('Acme')
  })

  test('does not open the team to the next user of the browser, and is not ended for that user', async () => {
    const { team, browsers, end } = await createScene()
    await end()
    const next = await createPerson(database)
    await join(database, team, next, 'member')
    await enter(browsers[0], next)
    expect(await accessOf(browsers[0], team)).toMatchObject({ code: 'open', listed: [team.slug] })
  })
})

test('an open stream of the team ends', async () => {
  const { team, browsers, end } = await createScene()
  const cookie = [...browsers[0].cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  const stream = await subscribe(service.url, '', team.slug, { headers: { cookie, origin: service.url, 'sec-fetch-site': 'same-origin' } })
  await end()
  await waitFor(() => stream.hasCompleted)
  expect(stream.errors.at(-1)).toMatchObject({ code: 'recent_sign_in_required' })
})

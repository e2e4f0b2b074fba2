import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useDisconnectableService } from '../../support/oauth/disconnectable-service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { contentOf, enter, heading, signedIn } from '../../support/account-site/page-content.ts'

const { service, proxy } = useDisconnectableService({ rateLimitLink: 20 })
const { database, url } = service

/** Chromium would refuse the redirect of a form to an identity provider, so its page has no `form-action`. */
const policyOf = (pathname: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ${
    pathname === '/security/accounts' ? '' : "form-action 'self'; "
  }frame-ancestors 'none'; base-uri 'none'`
/** Expects header fields against framing, caching, sniffing and referrers, and no inline scripts or styles. */
const expectSafe = ({ url: { pathname }, headers, root }: Page) => {
  const fields = ['content-security-policy', 'x-frame-options', 'cache-control', 'referrer-policy', 'x-content-type-options']
  const values = [policyOf(pathname), 'DENY', 'no-store', 'same-origin', 'nosniff']
  expect([pathname, ...fields.map((name) => headers.get(name))]).toEqual([pathname, ...values])
  expect([pathname, headers.get('content-type'), headers.get('etag')]).toEqual([pathname, 'text/html; charset=utf-8', null])
  const inline = root.querySelectorAll('style, [style], script:not([src]), base, iframe, object, img')
  const handlers = root.querySelectorAll('*').filter(({ attributes }) => Object.keys(attributes).some((name) => /^on/i.test(name)))
  expect([pathname, ...inline, ...handlers].map(String)).toEqual([pathname])
  for (const form of root.querySelectorAll('form')) expect(form.getAttribute('action')).toMatch(/^\/(?![/\\])/)
  for (const each of root.querySelectorAll('script, link[rel=stylesheet]'))
    expect(each.getAttribute('src') ?? each.getAttribute('href')).toMatch(/^\/assets\/[0-9a-f]{16}\.(js|css)$/)
}

test.each(['hostile', 'rightToLeft', 'long'] as const)(
  'every page escapes a %s name and sends header fields that forbid framing',
  async (kind) => {
    const name = names[kind]
    const { person, team, parameters } = await seedSite(service, name)
    const owner = new Browser(url)
    await enter(owner, person)
    for (const { path, isPublic, status } of everyPage(parameters)) {
      const page = await (isPublic ? new Browser(url) : owner).open(path)
      expect([path, page.status]).toEqual([path, status])
      expectSafe(page)
    }
    const { root } = await owner.open(`/teams/${team.slug}/members`)
    const shown = (selector: string) => root.querySelector(selector)?.text
    expect([shown('.person bdi'), shown('.switcher button bdi'), shown('.switcher li bdi')]).toEqual([name, name, name])
  },
)

describe('the page layout', () => {
  test('shows the signed-in user, the current team and the navigation', async () => {
    const { user, browser } = await signedIn(service)
    const [acme, other] = [await createTeam(database, { name: 'Acme' }), await createTeam(database, { name: 'Other' })]
    for (const team of [acme, other]) await join(database, team, user, 'owner')
    const { root } = await browser.open(`/teams/${acme.slug}/members`)
    expect(root.querySelector('html')?.getAttribute('lang')).toBe('en')
    expect(root.querySelector('a.skip')?.getAttribute('href')).toBe('#content')
    expect([root.querySelectorAll('h1').length, root.querySelectorAll('main#content').length]).toEqual([1, 1])
    expect(root.querySelectorAll('.sidebar nav').map((nav) => nav.getAttribute('aria-label'))).toEqual(['Team', 'Your account'])
    const current = root.querySelectorAll('a[aria-current]').map((link) => link.getAttribute('href'))
    expect(new Set(current)).toEqual(new Set([`/teams/${acme.slug}/members`]))
    expect(root.querySelectorAll('.switcher a').map((link) => link.getAttribute('href'))).toEqual(
      expect.arrayContaining([`/teams/${acme.slug}/members`, `/teams/${other.slug}/members`, '/teams/new']),
    )
  })

  test('remembers the last team on account pages, keeps the section in the switcher, and leads to the team at the start', async () => {
    const { user, browser } = await signedIn(service)
    const [acme, other] = [await createTeam(database, { name: 'Acme' }), await createTeam(database, { name: 'Other' })]
    await join(database, acme, user, 'owner')
    await join(database, other, user, 'member')
    const teamLinks = ({ root }: Page) => root.querySelectorAll('.switcher a').map((link) => link.getAttribute('href'))
    for (const team of [acme, other]) {
      await browser.open(`/teams/${team.slug}/members`)
      const account = await browser.open('/security')
      const links = account.root.querySelectorAll('.sidebar a').map((link) => link.getAttribute('href'))
      expect(links).toEqual(expect.arrayContaining([`/teams/${team.slug}`, '/account', '/tokens']))
      expect(account.root.querySelector('.switcher button bdi')?.text).toBe(team.name)
      expect((await browser.open('/')).url.pathname).toContain(`/teams/${team.slug}`)
    }
    expect(teamLinks(await browser.open(`/teams/${acme.slug}/members`))).toContain(`/teams/${other.slug}/members`)
    // A member may not open the tokens of the other team.
    expect(teamLinks(await browser.open(`/teams/${acme.slug}/tokens`))).toContain(`/teams/${other.slug}`)
  })

  test('keeps the chosen theme', async () => {
    const { browser, page } = await signedIn(service)
    const themeOf = ({ root }: Page) => root.querySelector('html')?.getAttribute('data-theme')
    expect(themeOf(page)).toBe(undefined)
    expect(themeOf(await browser.press(page, 'Dark'))).toBe('dark')
    const tokens = await browser.open('/tokens')
    expect(themeOf(tokens)).toBe('dark')
    expect(themeOf(await browser.press(tokens, 'System'))).toBe(undefined)
  })

  test('has no team navigation without a team, and no navigation without a session', async () => {
    const { browser } = await signedIn(service)
    const { root } = await browser.open('/security')
    expect(root.querySelectorAll('nav').map((nav) => nav.getAttribute('aria-label'))).toEqual(['Your account'])
    const visitor = await new Browser(url).open('/sign-in')
    expect([visitor.root.querySelectorAll('nav, .switcher, .person').length, visitor.root.querySelectorAll('main').length]).toEqual([0, 1])
  })
})

describe('an error page', () => {
  const texts = {
    403: 'You don’t have access This team does not exist, or you are not a member of it. Check that you are signed in to the right account, or ask a team owner to invite you. Go to the start page',
    404: 'Page not found It may have been deleted, or the link is wrong. Go to the start page',
    429: 'Too many attempts We limit attempts to protect accounts. Try again in 10 minutes. Go to the start page',
    503: 'Service unavailable We can’t process your request right now. Try again in a moment.',
  }
  const role = 'You don’t have access Your role in this team does not allow this. Ask a team owner for access. See who the owners are'
  const expectErrorPage = (page: Page, status: keyof typeof texts, text = texts[status]) => {
    expect([page.status, contentOf(page)]).toEqual([status, `${text} Request ID: ${page.headers.get('x-request-id')}`])
    expect(page.root.querySelector('title')?.text).toBe(`${heading(page)[1]} · Team accounts`)
    expectSafe(page)
  }

  test('is the same for a team of others and for a team that does not exist', async () => {
    const { browser } = await signedIn(service)
    const { slug } = await createTeam(database)
    const pages = [await browser.open(`/teams/${slug}`), await browser.open('/teams/no-such-team')]
    for (const page of pages) expectErrorPage(page, 403)
    const withoutId = pages.map(({ root, headers }) => root.innerHTML.replace(headers.get('x-request-id') ?? '', ''))
    expect(withoutId[0]).toBe(withoutId[1])
  })

  test('explains that the role does not allow the page, and the navigation has no link to it', async () => {
    const { user, browser } = await signedIn(service)
    const team = await createTeam(database)
    await join(database, team, await createPerson(database), 'owner')
    await join(database, team, user, 'member')
    expectErrorPage(await browser.open(`/teams/${team.slug}/invoices`), 403, `${role} Go to the start page`)
    const { root } = await browser.open(`/teams/${team.slug}/members`)
    expect(root.querySelectorAll('.sidebar a').map((link) => link.getAttribute('href'))).not.toContain(`/teams/${team.slug}/invoices`)
  })

  test.each(['/no-such-page', '/security/', '/Security', '/%E0%A4%A', '//evil.example', '/teams/x/../../x/'])(
    'for the unknown path %s is HTML for browsers and JSON for other clients',
    async (path) => {
      const response = await fetch(url + path, { headers: { accept: 'text/html' } })
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')])
      const { status, headers, body } = await request(service, 'GET', path)
      const requestId = headers.get('x-request-id')
      expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found', request_id: requestId }])
    },
  )

  test('explains that an object does not exist', async () => {
    const { user, browser } = await signedIn(service)
    const team = await createTeam(database)
    await join(database, team, user, 'owner')
    expectErrorPage(await browser.open(`/teams/${team.slug}/invoices/no-such-invoice`), 404)
    expectErrorPage(await browser.open('/nowhere'), 404)
    const { root } = await browser.open('/nowhere')
    expect(root.querySelectorAll('.sidebar nav').map((nav) => nav.getAttribute('aria-label'))).toEqual(['Team', 'Your account'])
    expect((await browser.press(await browser.open('/nowhere'), 'Sign out')).url.pathname).toBe('/sign-in')
  })

  test.each(['PUT', 'DELETE', 'PATCH'])('lists the allowed methods after a %s request', async (method) => {
    const { status, headers, body } = await request(service, method, '/security')
    expect([status, headers.get('allow'), body]).toEqual([
      405,
      'GET, POST, HEAD',
      { message: 'Method Not Allowed.', code: 'method_not_allowed', request_id: headers.get('x-request-id') },
    ])
  })

  test('states how long to wait after too many guessed links', async () => {
    const attempt = () => new Browser(url).open(`/invitations/${'A'.repeat(43)}`)
    let refused = await attempt()
    for (let count = 0; count < 20 && refused.status === 200; count++) refused = await attempt()
    expectErrorPage(refused, 429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
  })

  test.each(['disconnect', 'stall'] as const)(
    'appears while the database is unavailable (%s), and the page itself as soon as it is back',
    async (how) => {
      const { browser, page } = await signedIn(service)
      const visitor = new Browser(url)
      const form = await visitor.open('/sign-in?with=password')
      await proxy[how]()
      const requests = [browser.open('/security'), browser.press(page, 'Sign out'), enterAt(visitor, form)]
      for (const [index, response] of (await Promise.all(requests)).entries()) {
        // Only what was read can be requested again as it was.
        expectErrorPage(response, 503, `${texts[503]}${index === 0 ? ' Load the page again' : ''}`)
        expect(response.headers.get('retry-after')).toBe('1')
      }
      await proxy.restore()
      await expect.poll(async () => heading(await browser.open('/security'))).toEqual([200, 'Sign-in and security'])
    },
  )
  const enterAt = (browser: Browser, form: Page) => browser.press(form, 'Sign in', { 'Email address': 'a@example.test', Password: 'x' })
})

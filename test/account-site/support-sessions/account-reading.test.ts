import { describe, expect, test } from 'vitest'
import { pages } from '../../../src/account-site/pages.ts'
import { listAccountPages } from '../../../src/account-site/support-access/account-pages.ts'
import { contentOf, heading, navigationOf, openAs } from '../../support/account-site/page-content.ts'
import { createAccountScene } from '../../support/account-site/support-reader.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { useService } from '../../support/service/service.ts'

// Staff read the pages of an account that its user has opened to them: docs/decisions/staff.md#reading-an-account.

const service = useService()
const { prisma } = service.database
const readings = ({ id }: { id: string }) =>
  prisma.auditEntry.findMany({ where: { subject: id, action: 'readInSupportSession' }, orderBy: { at: 'asc' } })
const linksIn = ({ root }: Page, within: string) => root.querySelectorAll(`${within} a`).map((link) => link.getAttribute('href'))

test('the pages are those of the account without those that change something or show a secret that is being set up', () => {
  expect(listAccountPages(pages).map(({ path }) => path)).toEqual([
    '/account',
    '/account/email',
    '/account/notifications',
    '/account/data',
    '/account/deleted-teams',
    '/security',
    '/security/two-factor',
    '/security/passkeys',
    '/security/sessions',
    '/security/devices',
    '/security/accounts',
    '/tokens',
    '/tokens/:token',
    '/applications',
    '/applications/:grant',
  ])
})

describe('staff in a support session of an account', () => {
  test('see its pages as the user sees them, with a banner, and the navigation of the account', async () => {
    const { user, start, browser } = await createAccountScene(service)
    const page = await browser.open(`${start}/security`)
    expect(heading(page)).toEqual([200, 'Sign-in and security'])
    expect(contentOf(page)).toContain(user.email)
    expect(page.root.querySelector('main .banner')?.structuredText.replace(/\s+/g, ' ')).toMatch(
      /^You see this page of Ada as the user sees it, read-only, until .* The user sees each page that you open\.$/,
    )
    expect(navigationOf(page)).toEqual([
      'Profile',
      'Sign-in and security',
      'Notifications',
      'Personal tokens',
      'Connected apps',
      'Deleted teams',
      'Data and deletion',
      'Support desk',
    ])
    expect(page.root.querySelector('.person button')?.text).toContain('Grace')
    const profile = await browser.open(`${start}/account`)
    expect(profile.root.querySelector('main input[name=name]')?.getAttribute('value')).toBe('Ada')
  })

  test('stay inside its addresses: other links of the page are disabled', async () => {
    const { user, start, browser } = await createAccountScene(service)
    const page = await browser.open(`${start}/security`)
    const links = linksIn(page, 'main')
    expect(links.filter((href) => href !== undefined)).toEqual([
      `/staff/users/${user.id}`,
      ...['/account/email', '/security/two-factor', '/security/passkeys', '/security/sessions', '/security/devices'].map(
        (path) => start + path,
      ),
    ])
    const password = page.root.querySelectorAll('main a').find(({ text }) => text === 'Password')
    expect([password?.getAttribute('href'), password?.getAttribute('aria-disabled')]).toEqual([undefined, 'true'])
    const below = await browser.open(`${start}/security/two-factor`)
    expect(linksIn(below, '.breadcrumbs')).toEqual([`${start}/security`])
    for (const path of linksIn(page, '.sidebar nav[aria-label=Account]')) expect((await browser.open(path ?? '')).status).toBe(200)
  })

  test('leave an audit entry for each page, without the values of the query, which the user sees', async () => {
    const { user, staff, start, browser } = await createAccountScene(service)
    await browser.open(`${start}/tokens?search=deploy`)
    expect(await readings(user)).toMatchObject([
      {
        actorKind: 'staff',
        authenticationMethod: 'session',
        actorUserId: staff.id,
        teamId: null,
        subjectName: 'Ada',
        after: { path: '/tokens' },
        before: null,
        reason: null,
      },
    ])
    const { page, browser: ofUser } = await openAs(service, user, '/security')
    expect(contentOf(page)).toMatch(/Pages that staff opened: Grace opened \/tokens/)
    const { data } = await queryInSession(ofUser, '{ viewer { supportReadings { staffName path } } }')
    expect(data).toEqual({ viewer: { supportReadings: [{ staffName: 'Grace', path: '/tokens' }] } })
  })

  test('write the entry before the page is read, and for a page that does not exist, too', async () => {
    const { user, start, browser } = await createAccountScene(service)
    const path = '/tokens/ffffffff-ffff-4fff-bfff-ffffffffffff'
    expect((await browser.open(start + path)).status).toBe(404)
    expect(await readings(user)).toMatchObject([{ after: { path } }])
  })

  test('see neither the IP addresses of the user nor a page on which something is set up', async () => {
    const { user, start, browser } = await createAccountScene(service)
    await openAs(service, user, '/account')
    await prisma.session.updateMany({ where: { userId: user.id }, data: { address: '203.0.113.9' } })
    const page = await browser.open(`${start}/security/sessions`)
    expect([page.status, contentOf(page).includes('IP address hidden'), page.text.includes('203.0.113.9')]).toEqual([200, true, false])
    for (const path of ['/security/authenticator', '/security/passkeys/new', '/account/password', '/account/delete', '/account/teams'])
      expect([path, (await browser.open(start + path)).status]).toEqual([path, 404])
    expect((await browser.open(`${start}/tokens/new`)).status).toBe(404)
  })

  test('reach none of the teams of the user, and are not the user elsewhere', async () => {
    const { user, staff, start, browser } = await createAccountScene(service)
    const team = await createTeam(service.database, { name: 'Acme' })
    await join(service.database, team, user, 'owner')
    expect((await browser.open(`${start}/security`)).text).not.toContain('Acme')
    expect((await browser.open(`/teams/${team.slug}`)).status).toBe(403)
    expect((await browser.open(`${start}/teams/${team.slug}`)).status).toBe(404)
    const { data } = await queryInSession(browser, '{ viewer { userId supportSession { openedAt } } teams { slug } }')
    expect(data).toEqual({ viewer: { userId: staff.id, supportSession: null }, teams: [] })
    expect((await browser.open('/account')).text).not.toContain(user.email)
  })

  test('can still choose a theme and sign out', async () => {
    const { start, browser } = await createAccountScene(service)
    const dark = await browser.press(await browser.open(`${start}/security`), 'Dark')
    expect([dark.status, dark.url.pathname]).toEqual([200, `${start}/security`])
    expect((await browser.press(dark, 'Sign out')).url.pathname).toBe('/sign-in')
  })

  test('find the pages on the page of the user', async () => {
    const { user, start, browser } = await createAccountScene(service)
    const page = await browser.open(`/staff/users/${user.id}`)
    expect(linksIn(page, 'main')).toContain(`${start}/account`)
    await prisma.supportSession.updateMany({ where: { userId: user.id }, data: { endedAt: service.clock.now() } })
    expect((await browser.open(`/staff/users/${user.id}`)).text).not.toContain(start)
  })
})

test('a page cannot be opened again when the user has ended the support session', async () => {
  const { user, start, browser } = await createAccountScene(service)
  const { browser: ofUser, page } = await openAs(service, user, '/security')
  expect((await browser.open(`${start}/account`)).status).toBe(200)
  await ofUser.press(page, 'End access now')
  expect((await browser.open(`${start}/account`)).status).toBe(404)
  expect(await readings(user)).toHaveLength(1)
})

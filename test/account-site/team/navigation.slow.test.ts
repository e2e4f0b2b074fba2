import { expect, test } from 'vitest'
import { heading, signedIn } from '../../support/account-site/page-content.ts'
import { inTeam } from '../../support/account-site/team.ts'
import { isolateName } from '../../../src/web/display-name.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()
const { database, url } = service

/** The groups of the team's navigation: their titles, or null, and the labels of their links. */
const groupsOn = ({ root }: Page) =>
  root.querySelectorAll('nav[aria-label=Team] ul').map((list) => {
    const title = list.getAttribute('aria-labelledby')
    return [title === undefined ? null : root.querySelector(`#${title}`)?.text, list.querySelectorAll('a').map(({ text }) => text)]
  })

test('the navigation lists only pages that the role can open, in groups', async () => {
  const { page } = await inTeam(service, 'member', '/members')
  const everybody = [
    [null, ['Overview', 'Products']],
    ['People', ['Members']],
  ]
  const last = [
    ['Developers', ['Agents']],
    [null, ['Settings']],
  ]
  expect(groupsOn(page)).toEqual([...everybody, ...last])
  const owned = await inTeam(service, 'owner', '/members')
  expect(groupsOn(owned.page)).toEqual([
    [null, ['Overview', 'Products']],
    ['People', ['Members', 'Invitations', 'Access']],
    ['Billing', ['Invoices', 'Totals by month', 'Billing details']],
    ['Developers', ['Apps', 'Agents', 'Team tokens', 'Workload identities', 'Webhooks']],
    ['Security', ['Sign-in', 'Directory', 'Two-factor', 'Audit log']],
    [null, ['Settings']],
  ])
  const paying = await inTeam(service, 'billing', '/members')
  expect(groupsOn(paying.page)).toEqual([...everybody, ['Billing', ['Invoices', 'Totals by month', 'Billing details']], ...last])
  for (const closed of [
    'invitations',
    'tokens',
    'tokens/new',
    'identities',
    'identities/new',
    'developers',
    'developers/new',
    'access',
    'audit-trail',
    'sign-in',
    'sign-in/new',
    'sign-in/groups',
    'sign-in/groups/new',
  ]) {
    const { browser, team } = await inTeam(service, 'billing', '')
    expect(heading(await browser.open(`/teams/${team.slug}/${closed}`))).toEqual([403, 'You don’t have access'])
  }
})

test('pages of a team have one link to the account, and pages of the account have one link back to the team', async () => {
  const { browser, team, page } = await inTeam(service, 'owner', '/members')
  const linksIn = ({ root }: Page, label: string) =>
    root.querySelectorAll(`.sidebar nav[aria-label="${label}"] a`).map((link) => [link.text.trim(), link.getAttribute('href')])
  expect(linksIn(page, 'Your account')).toEqual([['Your account', '/account']])
  const account = await browser.open('/account')
  expect(linksIn(account, 'Team')).toEqual([[`Back to ${isolateName(team.name)}`, `/teams/${team.slug}`]])
  expect(linksIn(account, 'Your account').map(([label]) => label)).toEqual([
    'Profile',
    'Your teams',
    'Sign-in and security',
    'Notifications',
    'Personal tokens',
    'Connected apps',
    'Deleted teams',
    'Data and deletion',
  ])
})

test('the navigation has entries for deleted teams and, for owners, for the two-factor requirement of the team', async () => {
  const { user, browser } = await signedIn(service)
  const [own, other] = [await createTeam(database), await createTeam(database)]
  await join(database, own, user, 'owner')
  await join(database, other, user, 'member')
  const linksOn = async (path: string) =>
    (await browser.open(path)).root.querySelectorAll('.sidebar a').map((link) => link.getAttribute('href'))
  expect(await linksOn(`/teams/${own.slug}`)).toContain(`/teams/${own.slug}/two-factor`)
  expect(await linksOn(`/teams/${other.slug}`)).not.toContain(`/teams/${other.slug}/two-factor`)
  const { root } = await browser.open('/account/deleted-teams')
  expect(root.querySelectorAll('.sidebar [aria-current]').map(({ text }) => text)).toEqual(['Deleted teams'])
})

test('an error page keeps the navigation of the team in its address, and marks no link as the current page', async () => {
  const { user, browser } = await signedIn(service)
  const [acme, other] = [await createTeam(database, { name: 'Acme' }), await createTeam(database, { name: 'Other' })]
  await join(database, acme, user, 'owner')
  await join(database, other, user, 'member')
  const expectTeam = async (slug: string, path: string) => {
    const { status, root } = await browser.open(`/teams/${slug}${path}`)
    expect([path, root.querySelector('.sidebar a')?.getAttribute('href')]).toEqual([path, `/teams/${slug}`])
    expect([path, root.querySelectorAll('.sidebar [aria-current]').length]).toEqual([path, status === 200 ? 1 : 0])
  }
  for (const path of ['/nowhere', '/members/no-such-member', '/invoices/no-such-invoice']) {
    await expectTeam(other.slug, '/members')
    await expectTeam(acme.slug, path)
  }
  // The role does not allow this page.
  await expectTeam(acme.slug, '')
  await expectTeam(other.slug, '/tokens')
})

test.each(['', '/account'])('every link of the navigation leads to a page that marks it alone, and has its own icon: %s', async (start) => {
  const { browser, team } = await inTeam(service, 'owner', '')
  const page = await browser.open(start || `/teams/${team.slug}`)
  const links = page.root.querySelectorAll('.sidebar a')
  expect(new Set(links.map((link) => link.querySelector('path')?.getAttribute('d'))).size).toBe(links.length)
  for (const link of links) {
    const path = link.getAttribute('href') ?? ''
    const { status, root } = await browser.open(path)
    const marked = root.querySelectorAll('.sidebar [aria-current=page]').map((each) => each.getAttribute('href'))
    expect([status, marked]).toEqual([200, [path]])
  }
})

test.each([sizes.desktop, { width: 1280, height: 360 }])(
  'in a window of %j, the navigation starts at the top unless the current page would be below the window',
  async (viewport) => {
    const user = await createPerson(database)
    const team = await createTeam(database)
    await join(database, team, user, 'owner')
    const tab = await openTab(browser, service, { viewport })
    await signInAt(tab, service, user.email)
    const scrolled = []
    for (const path of ['', '/members', '/settings', '/webhooks'].map((page) => `/teams/${team.slug}${page}`).concat('/account/data')) {
      await tab.page.goto(url + path)
      const { top, bottom, end } = await evaluateInPage(tab.page, ({ document, innerHeight }) => {
        const { scrollTop } = document.querySelector('.sidebar > div')
        return {
          top: scrollTop,
          bottom: document.querySelector('.sidebar [aria-current]').getBoundingClientRect().bottom,
          end: innerHeight,
        }
      })
      expect([path, bottom <= end]).toEqual([path, true])
      // Without scrolling, the entry would be lower by what the list is scrolled.
      expect([path, top > 0]).toEqual([path, top > 0 && bottom + top > end - 32])
      scrolled.push(top > 0)
    }
    const isLow = viewport.height === 360
    expect(scrolled).toEqual([false, false, isLow, isLow, isLow])
  },
)

test.each([
  ['/account/email', 'Sign-in and security'],
  ['/account', 'Profile'],
  ['/account/data', 'Data and deletion'],
  ['/account/delete', 'Data and deletion'],
  ['/account/password', 'Sign-in and security'],
  ['/account/deleted-teams', 'Deleted teams'],
  ['/security/passkeys/new', 'Sign-in and security'],
  ['/tokens/new', 'Personal tokens'],
  ['/teams/new', undefined],
])('the page %s marks %s as current in the navigation', async (path, label) => {
  const { browser } = await signedIn(service)
  const { root } = await browser.open(path)
  expect(root.querySelectorAll('.sidebar [aria-current]').map(({ text }) => text)).toEqual(label === undefined ? [] : [label])
})

test.each([true, false])(
  'the menu of a phone opens by keyboard and leads to another page, with JavaScript: %s',
  async (javaScriptEnabled) => {
    const user = await createPerson(database)
    const { page } = await openTab(browser, service, { viewport: { width: 375, height: 720 }, javaScriptEnabled })
    await page.goto(`${url}/sign-in?return_to=%2Fsecurity`)
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const link = page.getByRole('link', { name: 'Personal tokens' })
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.waitFor()
    expect(await link.isVisible()).toBe(false)
    await menu.focus()
    await page.keyboard.press('Enter')
    await link.click()
    await page.waitForURL(`${url}/tokens`)
    expect(await link.isVisible()).toBe(false)
  },
)

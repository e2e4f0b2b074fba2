import { expect, test } from 'vitest'
import { heading, signedIn } from '../../support/account-site/page-content.ts'
import { inTeam, teamLinks } from '../../support/account-site/team.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()
const { database, url } = service

test('the navigation lists only pages that the role can open', async () => {
  const everybody = ['Overview', 'Members', 'Products', 'Settings']
  const { page } = await inTeam(service, 'member', '/members')
  expect(teamLinks(page)).toEqual(everybody)
  const owned = await inTeam(service, 'owner', '/members')
  const all = [
    'Overview',
    'Members',
    'Invitations',
    'Products',
    'Team tokens',
    'Webhooks',
    'Developers',
    'Invoices',
    'Access',
    'Audit log',
    'Sign-in',
    'Two-factor authentication',
    'Settings',
  ]
  expect(teamLinks(owned.page)).toEqual(all)
  const paying = await inTeam(service, 'billing', '/members')
  expect(teamLinks(paying.page)).toEqual(['Overview', 'Members', 'Products', 'Invoices', 'Settings'])
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

test('the navigation has entries for deleted teams and, for owners, for the two-factor requirement of the team', async () => {
  const { user, browser } = await signedIn(service)
  const [own, other] = [await createTeam(database), await createTeam(database)]
  await join(database, own, user, 'owner')
  await join(database, other, user, 'member')
  const linksOn = async (path: string) =>
    (await browser.open(path)).root.querySelectorAll('.sidebar a').map((link) => link.getAttribute('href'))
  expect(await linksOn(`/teams/${own.slug}`)).toEqual(expect.arrayContaining([`/teams/${own.slug}/two-factor`, '/account/deleted-teams']))
  const links = await linksOn(`/teams/${other.slug}`)
  expect([links.includes(`/teams/${other.slug}/two-factor`), links.includes('/account/deleted-teams')]).toEqual([false, true])
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

import { expect, test } from 'vitest'
import { pages } from '../../../src/account-site/pages.ts'
import { enter, heading } from '../../support/account-site/page-content.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { inTeam } from '../../support/account-site/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const chromium = useChromium()

/** The breadcrumbs: labels with the paths of links. */
const trailOn = ({ root }: Page) =>
  root.querySelectorAll('nav[aria-label=Breadcrumbs] li').map((crumb) => [crumb.text, crumb.querySelector('a')?.getAttribute('href')])

test('breadcrumbs lead from a page of a team to the pages above it and to the team', async () => {
  const { browser, team, owner, page } = await inTeam(service, 'owner', '/members')
  const path = `/teams/${team.slug}`
  expect(trailOn(page)).toEqual([
    [team.name, path],
    ['Members', undefined],
  ])
  expect(trailOn(await browser.open(`${path}/members/${owner.id}`))).toEqual([
    [team.name, path],
    ['Members', `${path}/members`],
    ['Olga', undefined],
  ])
  expect(trailOn(await browser.open(path))).toEqual([])
})

test('breadcrumbs of an account page lead to the page above it, and the topmost page has none', async () => {
  const { browser } = await inTeam(service, 'member', '')
  expect(trailOn(await browser.open('/account/password'))).toEqual([
    ['Sign-in and security', '/security'],
    ['Password', undefined],
  ])
  expect(trailOn(await browser.open('/security'))).toEqual([])
  expect(trailOn(await browser.open('/nowhere'))).toEqual([])
})

test('breadcrumbs on a phone take one line, without a separator at its end', async () => {
  const { team, owner } = await inTeam(service, 'owner', '')
  const tab = await openTab(chromium, service, { viewport: sizes.phone })
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/members/${owner.id}`)
  await expectFits(tab.page)
  const separators = await evaluateInPage(tab.page, ({ document, getComputedStyle }) =>
    [...document.querySelectorAll('.breadcrumbs li')].map((crumb) =>
      ['::before', '::after'].map((part) => getComputedStyle(crumb, part).content.split(' ')[0]),
    ),
  )
  expect(separators).toEqual([
    ['none', '"/"'],
    ['none', 'none'],
    ['none', 'none'],
  ])
  const tops = await evaluateInPage(tab.page, ({ document }) =>
    [...document.querySelectorAll('.breadcrumbs a')].map((link: any) => link.getBoundingClientRect().top),
  )
  expect(new Set(tops).size).toBe(1)
})

test('every page is in the navigation, below another page, or needs no way back', async () => {
  const { person, parameters } = await seedSite(service, names.plain)
  const browser = new Browser(service.url)
  await enter(browser, person)
  const apart = new Set([
    '/',
    '/teams/new',
    '/confirm',
    '/confirm/account',
    '/confirm/link',
    '/owner-access',
    '/verify-email',
    '/change-email',
    '/invitation',
    '/invitations/:secret',
  ])
  const paths = everyPage(parameters)
  for (const { path, isPublic, nav, parent } of pages) {
    const shown = paths.find(({ declared }) => declared === path)
    if (!shown || isPublic || apart.has(path)) continue
    const page = await browser.open(shown.path)
    const trail = trailOn(page)
    const isTop = nav && (nav.group === 'account' || path === '/teams/:team')
    expect([path, trail.at(-1)?.[0]]).toEqual([path, isTop ? undefined : heading(page)[1]])
    expect([path, nav !== undefined || parent !== undefined]).toEqual([path, true])
    // Each link leads to a page with the title that it has.
    for (const [label, address] of trail.slice(path.startsWith('/teams/') ? 1 : 0, -1))
      expect([path, heading(await browser.open(address ?? ''))]).toEqual([path, [200, label]])
  }
})

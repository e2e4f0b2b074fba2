import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, expectFitsResized, openTab, signInAt } from '../../support/browser/tab.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

/** Titles of the groups, and whether the explanation is left of the fields or above them. */
const groupsOn = (page: Page) =>
  evaluateInPage(page, ({ document }) =>
    [...document.querySelectorAll('.field-group')].map((group: any) => {
      const [about, fields] = [...group.children].map((each: any) => each.getBoundingClientRect())
      return [
        group.querySelector('h2, .hint').innerText,
        about.right < fields.left ? 'left' : about.bottom <= fields.top ? 'above' : 'over',
      ]
    }),
  )

/** Labels of fields that are in no group of a page whose forms have groups. */
const fieldsOutsideGroups = (page: Page) =>
  evaluateInPage(page, ({ document }) =>
    [...document.querySelectorAll('main form label')]
      .filter((label: any) => !label.closest('.field-group') && !label.closest('.filter, .rows, .bulk'))
      .map((label: any) => label.innerText),
  )

test('forms of a team have explanations left of the fields in wide windows, and above them in narrow ones', async () => {
  const { person, parameters, team } = await seedSite(service, names.plain)
  const tab = await openTab(browser, service)
  const { page } = tab
  await signInAt(tab, service, person.email)
  const address = `${service.url}/teams/${team.slug}`
  const forms: Record<string, string[]> = {
    '/settings': ['General', 'Logo', 'Support access', 'Transfer ownership', 'Delete this team'],
    '/webhooks/new': ['Endpoint', 'Events'],
    [`/webhooks/${parameters.webhook}/settings`]: ['Endpoint', 'Events', 'Signing secret', 'Disable or delete this webhook'],
    [`/developers/${parameters.client}/settings`]: [
      'App',
      'Flows',
      'Permissions',
      'Access to teams',
      'Consent page',
      'Keys',
      'Protocol',
      'Client secret',
      'Delete this app',
    ],
    '/invoices/billing-details': ['Customer', 'Emails'],
    '/invitations/new': ['People', 'Access'],
    '/identities/new': ['Jobs', 'Permissions'],
    [`/tokens/${parameters.teamToken}`]: ['Rename token', 'Rotate token', 'Revoke token'],
  }
  for (const [path, titles] of Object.entries(forms)) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(address + path)
    // The fields of closed sections have no place.
    await evaluateInPage(page, ({ document }) => {
      for (const details of document.querySelectorAll('.folded > details, .advanced')) details.open = true
    })
    expect([path, await fieldsOutsideGroups(page)]).toEqual([path, []])
    await expectAccessible(page)
    for (const [width, place] of [
      [1280, 'left'],
      [1000, 'above'],
      [900, 'left'],
      [390, 'above'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await expectFitsResized(page)
      expect([path, width, await groupsOn(page)]).toEqual([path, width, titles.map((title) => [title, place])])
    }
  }
  expect(tab.complaints).toEqual([])
})

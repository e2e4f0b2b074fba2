import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { everyPage, everyStaffPage } from '../support/account-site/every-page.ts'
import { openTabs } from '../support/account-site/two-tabs.ts'
import { useChromium } from '../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt } from '../support/browser/tab.ts'
import { useService } from '../support/service/service.ts'
import { providerPages } from './provider-pages.ts'
import { seedTeam } from './team/seed.ts'
import { viewers } from './team/people.ts'

// `npm run screenshots -- --all` runs this file with vitest, which compiles the pages whose declarations it reads.

const { SCREENSHOTS_FOLDER: folder = '', SCREENSHOTS_ONLY: only = '' } = process.env
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]
const themes = ['light', 'dark'] as const

const service = useService({
  trustProxy: 'loopback',
  brandName: 'Nimbus',
  brandSupport: 'help@nimbus.example',
  brandTermsUrl: 'https://nimbus.example/terms',
  brandPrivacyUrl: 'https://nimbus.example/privacy',
})
const browser = useChromium()

async function take(page: Page, viewer: string, name: string): Promise<void> {
  await mkdir(path.join(folder, viewer), { recursive: true })
  // The buttons of a long form stay at the end of the window, which would be in the middle of a screenshot that is as high as the page.
  await evaluateInPage(page, ({ document }) => document.querySelector('.sticky.buttons')?.classList.remove('sticky'))
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      const file = path.join(folder, viewer, `${name}.${size.width}-${colorScheme}.png`)
      await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
    }
  }
}

/** The words of a page that are not data, by which pages of different users are compared. */
const wordsOf = (page: Page) =>
  evaluateInPage(page, ({ document }) =>
    [...document.querySelectorAll('nav a, h1, h2, h3, th, dt, legend, label, button, main form, main p > a')]
      .map((element: any) => element.innerText ?? '')
      .join('\n'),
  )

const fileNameOf = (declared: string) => declared.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-|-$/g, '') || 'home'

/** Whether the option `--only` selects a page, by its address or the path of its declaration. */
const isSelected = (...paths: readonly string[]) => paths.some((each) => each.startsWith(only))

test('takes every page in two sizes and two themes, for each role that sees another page', { timeout: 1_200_000 }, async () => {
  const seeded = await seedTeam(service)
  const { anonymous, owner, staff } = await openTabs(browser, service, seeded, {})
  const pages = everyPage(seeded.parameters).filter(({ declared, path }) => isSelected(declared, path))
  const taken = new Set<string>()
  for (const [viewer, { email }] of Object.entries(viewers)) {
    const signedIn = viewer === 'owner' ? owner : await openTab(browser, service)
    if (viewer !== 'owner') await signInAt(signedIn, service, email)
    for (const { declared, path, endsAt, isPublic, status } of pages) {
      if (isPublic && viewer !== 'owner') continue
      const { page } = isPublic ? anonymous : signedIn
      const response = await page.goto(service.url + path)
      const isShown = response?.status() === status && (path !== endsAt ? declared === '/' : new URL(page.url()).pathname === endsAt)
      const words = `${declared} ${await wordsOf(page)}`
      if (!isShown || taken.has(words)) continue
      taken.add(words)
      await take(page, isPublic ? 'anonymous' : viewer, fileNameOf(declared))
    }
  }
  for (const { declared, path } of everyStaffPage({ ...seeded.parameters, slug: seeded.parameters.team })) {
    if (!isSelected(declared, path)) continue
    await staff.page.goto(service.url + path)
    await take(staff.page, 'staff', fileNameOf(declared))
  }
  for (const [name, open] of Object.entries(providerPages)) {
    if (!isSelected('/login', name)) continue
    await open(owner.page, service)
    await take(owner.page, 'authorization-server', name)
  }
  for (const [viewer, { page }] of Object.entries({ anonymous, owner })) {
    if (!isSelected('/no-such-page')) continue
    await page.goto(`${service.url}/no-such-page`)
    await take(page, viewer, 'no-such-page')
  }
  expect([...owner.complaints, ...staff.complaints, ...anonymous.complaints]).toEqual([])
})
